"""git itself is the reference for what is ignored."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from groundkit_index.sources import FolderSource

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

_NAMES = ["a", "b", "ab", "foo", "bar", "a b", "x-y", "[z", "é", "#h", "!k", "tail "]
_POSIX_NAMES = ["w\\t", "n\nl", "a*b", "q?"] if os.name == "posix" else []
_ATOMS = [
    *("a", "b", "foo", "bar", "*", "**", "***", "?", "a*", "*b", "f*o", "**b", "a**", "*.md"),
    *("?.md", "??.md", "*a*b*.md", "*.*", "é", "[ab]", "[!a]", "[^b]", "[!a-c]*", "[]x]", "[a-"),
    *("[[z]", "[[:alpha:]]", "[[:alpha:]-b]*", "[[:none:]]", "[z-a]", "[a\\-c]", "[é]*", "\\*"),
    *("\\#h", "\\!k", "a\\ b", "x\\", "w\\\\t", "\\[z", "-d", "tail\\ "),
]
_ODD_LINES = ["/", "//", "!", "**/", "*/", "/**", "/*", "!*/", "!*", "a//b", "\\", "a**/b", "**/**"]


def _pattern(random_: random.Random) -> str:
    if random_.random() < 0.05:
        return random_.choice(_ODD_LINES)
    segments = [
        random_.choice(_ATOMS) + (random_.choice(_ATOMS) if random_.random() < 0.2 else "")
        for _ in range(random_.choice([1, 1, 1, 2, 2, 3, 4]))
    ]
    line = "/".join(segments)
    line = f"/{line}" if random_.random() < 0.3 else line
    line = f"{line}/" if random_.random() < 0.3 else line
    line = f"!{line}" if random_.random() < 0.3 else line
    return line + random_.choice(["", "", "", "", " ", "  ", "\\ ", "\t", "\r"])


def _patterns(random_: random.Random) -> bytes:
    return "\n".join(_pattern(random_) for _ in range(random_.randrange(1, 6))).encode()


def _grow(random_: random.Random, folder: Path, depth: int) -> None:
    names = _NAMES + _POSIX_NAMES
    for name in random_.sample(names, 5):
        (folder / f"{name}.md").touch()
    if random_.random() < 0.4:
        (folder / ".gitignore").write_bytes(_patterns(random_))
    for name in random_.sample(names, 3) if depth else ():
        (folder / name).mkdir()
        _grow(random_, folder / name, depth - 1)


def _git(repository: Path, *arguments: str, given: bytes = b"") -> bytes:
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "XDG_CONFIG_HOME": str(repository / "absent"),
    }
    done = subprocess.run(
        ["git", *arguments], cwd=repository, env=environment, input=given, capture_output=True
    )
    assert done.returncode in (0, 1), done.stderr  # 1: nothing is ignored
    return done.stdout


def _repository(folder: Path) -> Path:
    folder.mkdir()
    _git(folder, "init", "--quiet")
    (folder / ".git" / "info").mkdir(exist_ok=True)
    return folder


def _documents(root: Path) -> set[str]:
    paths = (path.relative_to(root) for path in root.rglob("*.md"))
    return {path.as_posix() for path in paths if ".git" not in path.parts}


def _kept_by_git(repository: Path, root: Path) -> set[str]:
    prefix = root.relative_to(repository).as_posix().removeprefix(".")
    prefix = f"{prefix}/" if prefix else ""
    documents = _documents(root)
    given = "\0".join(prefix + source for source in documents).encode()
    ignored = _git(repository, "check-ignore", "--no-index", "-z", "--stdin", given=given)
    return documents - {source.removeprefix(prefix) for source in ignored.decode().split("\0")}


def _kept_by_scan(root: Path) -> set[str]:
    return {file.source for file in FolderSource(root, max_bytes=99).scan().files}


@pytest.mark.parametrize("seed", range(12))
def test_random_repositories_agree_with_git(tmp_path: Path, seed: int) -> None:
    random_ = random.Random(seed)
    repository = _repository(tmp_path / "repository")
    _grow(random_, repository, depth=3)
    (repository / ".git" / "info" / "exclude").write_bytes(_patterns(random_))
    assert _kept_by_scan(repository) == _kept_by_git(repository, repository)


@pytest.mark.parametrize("seed", range(100, 104))
def test_a_root_inside_a_repository_agrees_with_git(tmp_path: Path, seed: int) -> None:
    random_ = random.Random(seed)
    repository = _repository(tmp_path / "repository")
    root = repository / "docs" / "root"
    root.mkdir(parents=True)
    _grow(random_, root, depth=2)
    above = [f"{line}\n!docs\n!/docs/root\n!root/\n" for line in ("*.md", "a*/", "root/**/b")]
    (repository / ".gitignore").write_text(random_.choice(above))
    (repository / "docs" / ".gitignore").write_text("root/*/foo.md\n/b.md\n!root/\n")
    assert _kept_by_scan(root) == _kept_by_git(repository, root)


@pytest.mark.parametrize(
    "lines",
    [
        "*.md",
        "*\n!*/\n!keep.md",
        "/*\n!/docs",
        "docs/*\n!docs/keep.md",
        "docs/**\n!docs/**/",
        "docs/",
        "docs\n!docs/keep.md",
        "**/keep.md",
        "docs/**/keep.md",
        "/keep.md",
        "deep/keep.md",
        "docs/d*p",
        "docs**",
        "/do**/keep.md",
        "k[!a]ep.md",
        "KEEP.md",
        "keep.md ",
        "keep.md\\ ",
        "\\keep.md",
        "!keep.md\nkeep.md",
        "keep.md\n!keep.md",
        "#keep.md",
        "*/keep.md",
        "docs/deep/",
        "?eep.md\n!docs/deep/?eep.md",
    ],
)
def test_everyday_patterns_agree_with_git(tmp_path: Path, lines: str) -> None:
    repository = _repository(tmp_path / "repository")
    for source in ("keep.md", "drop.md", "docs/keep.md", "docs/drop.md", "docs/deep/keep.md"):
        (repository / source).parent.mkdir(parents=True, exist_ok=True)
        (repository / source).touch()
    (repository / ".gitignore").write_text(lines)
    assert _kept_by_scan(repository) == _kept_by_git(repository, repository)
