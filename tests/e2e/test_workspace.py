"""The rules that hold for the workspace as a whole."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
DISTRIBUTIONS = ("core", "index", "retrieval", "mcp", "eval")
BELOW = {
    "core": set(),
    "index": {"core"},
    "retrieval": {"core", "index"},
    "mcp": {"core", "index", "retrieval"},
    "eval": {"core", "index", "retrieval"},
}
_NAMES = {
    "sqlite_utils": "sqlite-utils",
    "Stemmer": "PyStemmer",
    "charset_normalizer": "charset-normalizer",
    "jwt": "pyjwt",
    "opentelemetry": "opentelemetry-api",
    "ir_measures": "ir-measures",
    "rank_bm25": "rank-bm25",
    "pydantic_core": "pydantic",
    "pydantic_settings": "pydantic-settings",
}


def modules(distribution: str) -> list[Path]:
    return sorted((REPOSITORY / "packages" / distribution / "src").rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Yield what a module imports when it runs; imports for types alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def project(distribution: str) -> dict[str, object]:
    text = (REPOSITORY / "packages" / distribution / "pyproject.toml").read_text()
    found = tomllib.loads(text)["project"]
    assert isinstance(found, dict)
    return found


def _names(requirements: object) -> set[str]:
    assert isinstance(requirements, list)
    return {re.split(r"[\[<>=!~ ;]", item)[0].lower() for item in requirements}


def tracked() -> list[Path]:
    git = shutil.which("git")
    if git is None or not (REPOSITORY / ".git").exists():
        pytest.skip("not a git checkout")
    out = subprocess.run([git, "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True)
    return [REPOSITORY / name for name in out.stdout.decode().split("\0") if name]


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_imports_point_downward_only(distribution: str) -> None:
    allowed = {f"groundkit_{name}" for name in BELOW[distribution] | {distribution}}
    for path in modules(distribution):
        used = {name.split(".")[0] for name in imports(path) if name.startswith("groundkit_")}
        assert used <= allowed, path.name


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_a_distribution_lists_what_it_imports_and_no_more(distribution: str) -> None:
    """Extras may also be loaded by name, where they are used."""
    meta = project(distribution)
    extras = dict(meta.get("optional-dependencies", {}))  # type: ignore[call-overload]
    always = _names(meta["dependencies"])
    listed = always.union(*map(_names, extras.values()))
    used = set()
    for path in modules(distribution):
        for name in imports(path):
            top = name.split(".")[0]
            if top not in sys.stdlib_module_names and top != f"groundkit_{distribution}":
                used.add(_NAMES.get(top, top.replace("_", "-")).lower())
    assert always <= used <= listed


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_a_distribution_is_complete(distribution: str) -> None:
    folder = REPOSITORY / "packages" / distribution
    for name in ("README.md", "CHANGELOG.md", "LICENSE"):
        assert (folder / name).stat().st_size > 0
    assert (folder / "src" / f"groundkit_{distribution}" / "py.typed").is_file()
    init = (folder / "src" / f"groundkit_{distribution}" / "__init__.py").read_text()
    assert len(init.splitlines()) <= 30
    assert f'__version__ = "{project(distribution)["version"]}"' in init


def test_no_module_reads_code_as_data() -> None:
    banned = {"pickle", "marshal", "shelve", "dill", "joblib"}
    for distribution in DISTRIBUTIONS:
        for path in modules(distribution):
            assert not banned & {name.split(".")[0] for name in imports(path)}, path
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in {"eval", "exec"}, path
                if isinstance(node, ast.keyword) and node.arg == "shell":
                    raise AssertionError(path)


def test_core_is_quick_to_import_and_search_leaves_heavy_parts_out() -> None:
    code = (
        "import sys, time; start = time.process_time(); import groundkit_core;"
        "print(time.process_time() - start);"
        "import groundkit_retrieval.cli.app;"
        "print(sorted({'sqlite_utils','fastmcp','rich','lancedb','watchfiles'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, heavy = done.stdout.splitlines()
    assert float(seconds) < 0.15
    assert heavy == "[]"


def test_the_lock_has_hashes_and_no_address() -> None:
    text = (REPOSITORY / "requirements.lock").read_text()
    assert "://" not in text
    blocks = [block for block in re.split(r"\n(?=\S)", text.strip()) if not block.startswith("#")]
    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)


def test_no_tracked_file_names_an_address_of_a_registry_or_a_path_of_a_machine() -> None:
    # Written in parts, so that this file does not name them itself.
    words = ["pypi" + ".org", "files.python" + "hosted", "registry.npm" + "js", "/wo" + "rk/"]
    for path in tracked():
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            assert len(data) < 2**20, path
            for word in words:
                assert word.encode() not in data, (path, word)
    assert not any(path.name in {"uv.lock", "poetry.lock"} for path in tracked())


def test_readme_shows_the_two_commands() -> None:
    text = (REPOSITORY / "README.md").read_text()
    assert "make demo" in text
    assert "make test" in text


def test_every_command_and_setting_is_documented() -> None:
    from groundkit_core.settings import Settings
    from groundkit_retrieval.cli.app import groundkit

    commands = (REPOSITORY / "packages/retrieval/README.md").read_text()
    for name in groundkit.commands:
        assert f"`groundkit {name}" in commands
    settings = (REPOSITORY / "packages/core/README.md").read_text()
    for name in Settings.model_fields:
        assert f"`{name}`" in settings
