"""Changes a corpus without pause, and keeps a journal of what every generation holds.

Run as a script: `writing.py FOLDER INDEX JOURNAL SECONDS WORD...`. Before each ingest it notes
the texts that the folder then has, afterwards the generation that was reached: a line of JSON each.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from groundkit_index import ingest
from groundkit_index.rebuild import rebuild

DOCUMENTS = 120
REBUILD_EVERY = 8


class Writer:
    """A corpus of documents of one chunk, changed a little before every ingest."""

    def __init__(self, folder: Path, index: Path, journal: TextIO, words: Sequence[str]) -> None:
        self._folder = folder
        self._index = index
        self._journal = journal
        self._words = words
        self._chance = random.Random(1)
        self._texts: dict[str, str] = {}
        self._made = 0

    def fill(self) -> None:
        for number in range(DOCUMENTS):
            self._write(f"{number % 7}/{number:03}.md")
        self.take_up(new_version=False)

    def _write(self, source: str) -> None:
        self._made += 1
        words = " ".join(self._chance.choices(self._words, k=self._chance.randrange(3, 90)))
        self._texts[source] = f"The {words} of {self._made}."
        path = self._folder / source
        path.parent.mkdir(exist_ok=True)
        path.write_text(self._texts[source])

    def change(self) -> None:
        for source in self._chance.sample(sorted(self._texts), 6):
            deed = self._chance.choice(("edit", "edit", "move", "replace"))
            path = self._folder / source
            if deed == "edit":
                self._write(source)
            elif deed == "move":
                target = f"{self._chance.randrange(7)}/m{self._made}-{path.name[-30:]}"
                path.replace(self._folder / target)
                self._texts[target] = self._texts.pop(source)
            else:
                path.unlink()
                del self._texts[source]
                self._write(f"{self._chance.randrange(7)}/n{self._made}.md")

    def take_up(self, *, new_version: bool) -> None:
        self._note({"texts": self._texts})
        if new_version:
            report = rebuild(index_dir=self._index)
        else:
            report = ingest(self._folder, index_dir=self._index)
        self._note({"generation": report.generation})

    def _note(self, line: dict[str, object]) -> None:
        self._journal.write(json.dumps(line) + "\n")
        self._journal.flush()


def main(folder: str, index: str, journal: str, seconds: str, *words: str) -> None:
    with Path(journal).open("w") as notes:
        writer = Writer(Path(folder), Path(index), notes, words)
        writer.fill()
        print("filled", flush=True)
        end = time.monotonic() + float(seconds)
        turn = 0
        while time.monotonic() < end:
            turn += 1
            writer.change()
            writer.take_up(new_version=turn % REBUILD_EVERY == 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
