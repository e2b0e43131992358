"""Runs the MCP conformance suites against the real server: `make conformance`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.conformance.service import HERE, Service, running

SUITES = {
    "0.1.16, all": ("conformance", "--suite", "all"),
    "0.2.0-alpha.12, 2025-11-25": ("conformance-next", "--requirements", "2025-11-25"),
    "0.2.0-alpha.12, 2026-07-28": ("conformance-next", "--requirements", "2026-07-28"),
}
_NODE = HERE / "node_modules/node/bin/node"
_NOT_PASSED = {"FAILURE", "WARNING"}
_TASKS = "tasks-"
"""Scenarios of an extension that is announced nowhere; the suites do not score it."""

Checks = dict[str, set[str]]
"""Statuses by the id of a check."""


def main() -> int:
    """Run every suite, print what each came to, and return the exit code."""
    expected = set(expected_failures())
    seen: Checks = defaultdict(set)
    bad = []
    with tempfile.TemporaryDirectory() as made, running(Path(made)) as service:
        for number, (title, (package, *options)) in enumerate(SUITES.items()):
            results = Path(made) / str(number)
            _run(service, package, options, results)
            scenarios = dict(read_scenarios(results))
            if not scenarios:
                bad.append(f"{title}: no scenario ran")
            bad += report(title, scenarios, expected)
            for checks in scenarios.values():
                for check, statuses in checks.items():
                    seen[check] |= statuses
        if "Traceback" in service.log():
            bad.append(f"the server logged an error:\n{service.log()}")
    bad += [f"{check}: expected to fail, but no suite knows it" for check in expected - set(seen)]
    print("\n".join(["", *sorted(bad)] if bad else ["", "Nothing unexpected."]))
    return 1 if bad else 0


def expected_failures() -> Iterator[str]:
    """Give the ids of the checks that may fail."""
    groups = tomllib.loads((HERE / "expected_failures.toml").read_text(encoding="utf-8"))
    for group in groups["not_offered"]:
        if not (group["feature"].strip() and group["reason"].strip()):
            raise ValueError("an expected failure has no reason")
        yield from group["checks"]


def _run(service: Service, package: str, options: list[str], results: Path) -> None:
    script = HERE / "node_modules" / package / "dist/index.js"
    asked = ["server", "--url", f"{service.url}/mcp", *options, "-o", str(results)]
    path = f"{_NODE.parent}{os.pathsep}{os.environ['PATH']}"
    # Its exit code tells of scenarios as a whole; `report` looks at single checks.
    subprocess.run(
        [str(_NODE), str(script), *asked],
        env={**os.environ, "PATH": path},
        check=False,
        stdout=subprocess.DEVNULL,
    )


def read_scenarios(results: Path) -> Iterator[tuple[str, Checks]]:
    """Give each scenario of a suite's results, with its checks."""
    for path in sorted(results.glob("server-*/checks.json")):
        checks: Checks = defaultdict(set)
        for check in json.loads(path.read_text(encoding="utf-8")):
            checks[check["id"]].add(check["status"])
        yield path.parent.name.removeprefix("server-"), checks


def report(title: str, scenarios: dict[str, Checks], expected: set[str]) -> list[str]:
    """Print the counts of a suite and return what is unexpected in it."""
    passed, failed, bad = 0, 0, []
    for scenario, checks in scenarios.items():
        if scenario.startswith(_TASKS):
            continue
        for check, statuses in checks.items():
            fails = bool(statuses & _NOT_PASSED)
            passed += not fails and "SUCCESS" in statuses
            failed += fails
            if fails and check not in expected:
                bad.append(f"{title}: {scenario}: {check} fails")
            elif check in expected and not fails:
                bad.append(f"{title}: {scenario}: {check} passes, but is expected to fail")
    print(
        f"{title}: {len(scenarios)} scenarios; {passed} checks passed, {failed} did not, "
        f"{len(bad)} unexpected"
    )
    return bad


if __name__ == "__main__":
    sys.exit(main())
