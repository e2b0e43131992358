"""`python -m evals.dogfood.corpus FOLDER`: this repository as a corpus.

What git tracks, without tests, evaluations and what a command of the repository writes: those
hold the questions, or repeat what others say. The bytes are copied, so a run cannot touch them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

LEFT_OUT = ("tests/", "evals/")
GENERATED = (
    "docs/operations.md",
    "packages/eval/src/groundkit_eval/schema/",
    "packages/retrieval/src/groundkit_retrieval/confidence/coefficients.json",
    "requirements.lock",
)


class NoCheckoutError(Exception):
    """The repository is not a git checkout, so nothing says what belongs to it."""


def sources(repository: Path = REPOSITORY) -> Iterator[str]:
    """Yield the paths of the corpus below the repository, in order.

    Raises:
        NoCheckoutError: it is not a git checkout, or there is no git.
    """
    for name in _tracked(repository):
        if not name.startswith((*LEFT_OUT, *GENERATED)) and _is_file(repository / name):
            yield name


def write(folder: Path, repository: Path = REPOSITORY) -> int:
    """Copy the corpus into a folder; return how many files it has.

    Raises:
        NoCheckoutError: as `sources` does.
    """
    count = 0
    for name in sources(repository):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(repository / name, target)
        count += 1
    return count


def _tracked(repository: Path) -> list[str]:
    command = ["git", "-C", str(repository), "ls-files", "-z"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        listed = b""
    if not listed:
        raise NoCheckoutError("the corpus is what git tracks, and this is no checkout")
    return sorted(filter(None, listed.decode().split("\0")))


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def main(arguments: list[str]) -> int:
    """Write the corpus into the folder that is named."""
    if len(arguments) != 1:
        print("usage: python -m evals.dogfood.corpus FOLDER", file=sys.stderr)
        return 2
    try:
        print(f"{write(Path(arguments[0]))} files")
    except NoCheckoutError as error:
        print(f"skipped: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
