"""Builds every distribution, installs the wheels into an empty environment and tries them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
DISTRIBUTIONS = ("core", "index", "retrieval", "mcp", "eval")
COMMANDS = ("groundkit", "groundkit-mcp", "groundkit-eval")


def run(*command: str | Path, folder: Path = REPOSITORY) -> str:
    """Run a command and return its output; exit with its words when it fails."""
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(dist: Path) -> list[Path]:
    """Build wheel and sdist of every distribution and return the wheels."""
    binaries = Path(sys.executable).parent
    shutil.rmtree(dist, ignore_errors=True)
    for name in DISTRIBUTIONS:
        folder = REPOSITORY / "packages" / name
        run(binaries / "hatch", "build", dist, folder=folder)
    wheels, sdists = sorted(dist.glob("*.whl")), sorted(dist.glob("*.tar.gz"))
    if len(wheels) != len(DISTRIBUTIONS) or len(sdists) != len(DISTRIBUTIONS):
        sys.exit(f"expected {len(DISTRIBUTIONS)} wheels and sdists in {dist.name}/")
    return wheels


def try_wheels(wheels: list[Path]) -> None:
    """Install the wheels into an empty environment and do the main job with them."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        run(sys.executable, "-m", "venv", folder / "env")
        binaries = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
        pip = (binaries / "python", "-m", "pip", "--disable-pip-version-check")
        run(*pip, "install", "--quiet", *wheels)
        for command in COMMANDS:
            print(run(binaries / command, "--version", folder=folder).strip())
        (folder / "docs").mkdir()
        (folder / "docs" / "keys.md").write_text("# Keys\n\nRotate the signing key yearly.\n")
        run(binaries / "groundkit", "ingest", "docs", folder=folder)
        found = json.loads(
            run(binaries / "groundkit", "search", "rotating keys", "--json", folder=folder)
        )
        citation = found["results"][0]["citation"]
        if (citation["link"], citation["verification"]) != ("keys.md:1", "verified"):
            sys.exit(f"the installed wheels answered {citation}")
        print(f"installed wheels answer: {citation['link']} {citation['verification']}")


def main() -> None:
    """Build into dist/ and try what was built."""
    wheels = build(REPOSITORY / "dist")
    for wheel in wheels:
        print(wheel.name)
    try_wheels(wheels)


if __name__ == "__main__":
    main()
