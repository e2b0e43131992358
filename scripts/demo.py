"""The main job on real documents: ingest, search, show, and a citation that moves."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
FOLDER = REPOSITORY / ".demo"
GROUNDKIT = Path(sys.executable).parent / "groundkit"


def say(text: str) -> None:
    """Print a line of explanation, set apart from what the commands print."""
    print(f"\n# {text}", flush=True)


def groundkit(*arguments: str, quiet: bool = False) -> str:
    """Run `groundkit` in the demo folder as a person would, and return what it printed."""
    if not quiet:
        print(f"$ groundkit {shlex.join(arguments)}", flush=True)
    done = subprocess.run(
        [GROUNDKIT, *arguments], cwd=FOLDER, stdout=subprocess.PIPE, text=True, check=True
    )
    if not quiet:
        print(done.stdout, end="", flush=True)
    return done.stdout


def main() -> None:
    """Run the demo in `.demo/`, on a copy of the corpus that it may edit."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(REPOSITORY / "evals" / "corpus", FOLDER / "corpus")
    say("Index a folder of documents.")
    groundkit("ingest", "corpus")
    say("Ask in words; every passage comes with a citation that was checked just now.")
    groundkit("search", "how long does a worker keep its lease?", "--limit", "2")
    say("Parts of an identifier are enough, and a class of documents can be named.")
    groundkit("search", "refresh margin", "--limit", "1", "--source-class", "code")
    say("A line is written above a passage: its citation is found again, at its new place.")
    found = json.loads(groundkit("search", "worker lease", "--limit", "1", "--json", quiet=True))
    citation = found["results"][0]["citation"]
    file = FOLDER / "corpus" / citation["source"]
    file.write_bytes(b"A new first line.\n\n" + file.read_bytes())
    groundkit("verify", citation["chunk_id"])
    say("What the collection holds.")
    groundkit("status")


if __name__ == "__main__":
    main()
