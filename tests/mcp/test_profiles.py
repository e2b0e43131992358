"""On stdio the deployment binds the profile; without one it is the narrowest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundkit_index import IngestOptions, ingest


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "guide.md").write_text("# Guide\n\nThe zebra has stripes.\n")
    (folder / "zebra.py").write_text("def zebra() -> None:\n    ...\n")
    (folder / "zebra.toml").write_text("zebra = 1\n")
    ingest(folder, index_dir=tmp_path / "index", options=IngestOptions())
    return tmp_path / "index"


def _found(wire: Any, **options: Any) -> tuple[set[str], Any]:
    data = wire.call("search", query="zebra", **options).data
    return {hit["citation"]["source"] for hit in data["results"]}, data


@pytest.mark.parametrize("profile", [None, "", "nonesuch"])
def test_without_a_known_profile_it_is_restricted_and_that_is_said_once(
    start: Callable[..., Any], environment: dict[str, str], corpus: Path, profile: str | None
) -> None:
    env = {name: value for name, value in environment.items() if name != "GROUNDKIT_PROFILE"}
    if profile is not None:
        env["GROUNDKIT_PROFILE"] = profile
    wire = start("--index-dir", str(corpus), env=env).initialize()
    assert _found(wire)[0] == {"guide.md"}
    sources, data = _found(wire, source_class="code")
    assert (sources, data["reason"]) == (set(), "acl_denied")
    _, log = wire.end()
    assert log.count("'restricted'") == 1
    assert "nonesuch" not in log


def test_a_named_profile_is_bound_and_no_argument_changes_it(
    start: Callable[..., Any], environment: dict[str, str], corpus: Path
) -> None:
    for profile, expected in (
        ("engineer", {"guide.md", "zebra.py"}),
        ("auditor", {"guide.md", "zebra.py"}),
    ):
        wire = start(
            "--index-dir", str(corpus), env={**environment, "GROUNDKIT_PROFILE": profile}
        ).initialize()
        assert _found(wire)[0] == expected
        config = _found(wire, source_class="config")[0]
        assert config == ({"zebra.toml"} if profile == "auditor" else set())
        refused = wire.call("search", query="zebra", profile="auditor")
        assert refused.failed
        assert "restricted" not in wire.end()[1]


def test_a_policy_that_cannot_be_used_stops_the_start_in_one_line(
    start: Callable[..., Any], environment: dict[str, str], corpus: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "policy.toml"
    broken.write_text("[profiles]\n")
    wire = start("--index-dir", str(corpus), env={**environment, "GROUNDKIT_POLICY": str(broken)})
    out, log = wire.end()
    assert out == ""
    assert log.count("\n") == 1
    assert "policy.toml" in log
    assert wire.process.returncode == 2
