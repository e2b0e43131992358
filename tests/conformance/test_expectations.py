"""What the runner of the conformance suites takes for unexpected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.conformance.run import expected_failures, read_scenarios, report


def test_every_expected_failure_stands_once() -> None:
    found = list(expected_failures())
    assert len(found) > 40
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("status", "expected", "says"),
    [
        ("SUCCESS", set(), []),
        ("SKIPPED", set(), []),
        ("FAILURE", {"ping"}, []),
        ("FAILURE", set(), ["suite: server: ping fails"]),
        ("WARNING", set(), ["suite: server: ping fails"]),
        ("SUCCESS", {"ping"}, ["suite: server: ping passes, but is expected to fail"]),
    ],
)
def test_failures_and_passes_that_nobody_expects_are_told(
    tmp_path: Path, status: str, expected: set[str], says: list[str]
) -> None:
    (tmp_path / "server-server").mkdir()
    checks = json.dumps([{"id": "ping", "status": status}])
    (tmp_path / "server-server/checks.json").write_text(checks)
    assert report("suite", dict(read_scenarios(tmp_path)), expected) == says
