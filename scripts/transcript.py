"""Writes what the demo prints into README.md, or checks that it is still what is printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
README = REPOSITORY / "README.md"
_BLOCK = re.compile(r"(<!-- transcript:begin -->\n).*?(<!-- transcript:end -->)", re.DOTALL)
# Times and scores depend on the machine and on the corpus' size; they are no part of the check.
_VARYING = re.compile(r"\d+\.\d+ s\b|\d{4}-\d\d-\d\dT[\d:+-]+|\b\d+\.\d\d\b|\d+\.\d MiB")


def transcript() -> str:
    """Return the README block that the demo gives now."""
    printed = subprocess.run(
        [sys.executable, REPOSITORY / "scripts" / "demo.py"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()
    return f"```console\n{printed}\n```\n"


def main() -> None:
    """Update README.md; with `--check`, fail when it is out of date instead."""
    text = README.read_text(encoding="utf-8")
    block = transcript()
    updated = _BLOCK.sub(lambda match: match[1] + block + match[2], text)
    if "--check" not in sys.argv:
        README.write_text(updated, encoding="utf-8")
    elif _VARYING.sub("0", updated) != _VARYING.sub("0", text):
        sys.exit("README.md: the transcript is out of date; run `make readme`")


if __name__ == "__main__":
    main()
