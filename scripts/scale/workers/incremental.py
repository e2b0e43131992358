"""Add documents until they are found, delete them until they are gone.

Arguments: `INDEX ROOT SPARE BATCH REPEATS`. ROOT is an ingested folder, and SPARE holds two
batches a repeat.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.errors import BenchError

from groundkit_index import ingest
from groundkit_retrieval import Collection

_WORD = "quavermint"
_SHORT_CHARS = 600
_SETTLE_SECONDS = 0.2
_PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Took:
    """How long a change took until it showed, and the processor time of all threads."""

    ms: float
    cpu_ms: float


class Increments:
    """Changes one folder of a root, with a reader open all along as in a service.

    Args:
        index: the index folder.
        root: an ingested folder; `added` is made below it.
        spare: the folder of documents to add.
        batch: how many are added at a time.
    """

    def __init__(self, index: Path, root: Path, spare: Path, batch: int) -> None:
        self._index = index
        self._root = root
        self._folder = root / "added"
        self._documents = sorted(spare.iterdir())
        self._batch = batch
        self._reader = Collection.open(index_dir=index)
        self._begin()

    def _begin(self) -> None:
        """Ingest a first document that stays; imports and caches are paid for by then."""
        self._folder.mkdir()
        (self._folder / "stays.md").write_text("# A page that stays\n\nIt is never deleted.\n")
        ingest(self._folder, index_dir=self._index)
        self._reader.search("page that stays", limit=1)

    def add(self, number: int, *, short: bool = False) -> Took:
        """Write a batch into the folder and time the ingest of the folder, until it is found.

        Args:
            number: which batch.
            short: cut every document to a chunk.
        """
        self._place(number, short=short)
        return self._until(self._folder, number, found=True)

    def delete(self, number: int) -> Took:
        """Delete the batch and time the ingest of the folder, until it is gone."""
        for path in self._folder.glob(f"{number}-*"):
            path.unlink()
        return self._until(self._folder, number, found=False)

    def add_by_root(self, number: int) -> Took:
        """The same as `add`, but the whole root is ingested, every file of it looked at."""
        self._place(number)
        return self._until(self._root, number, found=True)

    def chunks(self) -> int:
        """How many chunks the collection holds."""
        return self._reader.status().chunks

    def close(self) -> None:
        """Close the reader."""
        self._reader.close()

    def _place(self, number: int, *, short: bool = False) -> None:
        first = number * self._batch
        batch = self._documents[first : first + self._batch]
        if len(batch) < self._batch:
            raise BenchError("there are too few spare documents")
        for path in batch:
            text = path.read_text(encoding="utf-8")
            if short:
                text = text[:_SHORT_CHARS].rpartition("\n\n")[0] or text[:_SHORT_CHARS]
            if path is batch[-1]:
                text += f"\n\nThe {_word(number)} is named here only.\n"
            (self._folder / f"{number}-{path.name}").write_text(text, encoding="utf-8")
        time.sleep(_SETTLE_SECONDS)

    def _until(self, folder: Path, number: int, *, found: bool) -> Took:
        """From the call of `ingest` to an answer that shows the change."""
        started, before = time.perf_counter(), time.process_time()
        ingest(folder, index_dir=self._index)
        while self._is_found(number) is not found:
            if time.perf_counter() - started > _PATIENCE_SECONDS:
                raise BenchError("a change of the collection does not show in its answers")
        cpu_seconds = time.process_time() - before
        return Took(1e3 * (time.perf_counter() - started), 1e3 * cpu_seconds)

    def _is_found(self, number: int) -> bool:
        return bool(self._reader.search(_word(number), limit=1).results)


def _word(number: int) -> str:
    return f"{_WORD}{chr(ord('a') + number)}"


def measure(increments: Increments, repeats: int) -> dict[str, list[float]]:
    """Return milliseconds by what was done, and how many chunks the batches made."""
    figures: dict[str, list[float]] = defaultdict(list)
    before = increments.chunks()

    def note(name: str, took: Took) -> None:
        figures[f"{name}_ms"].append(took.ms)
        figures[f"{name}_cpu_ms"].append(took.cpu_ms)

    # A batch that was analysed once is analysed faster, so each way of adding has its own.
    for number in range(0, 2 * repeats, 2):
        note("add_short", increments.add(number, short=True))
        figures["short_batch_chunks"].append(increments.chunks() - before)
        increments.delete(number)
        note("add", increments.add(number))
        figures["batch_chunks"].append(increments.chunks() - before)
        note("delete", increments.delete(number))
        note("add_by_root", increments.add_by_root(number + 1))
        increments.delete(number + 1)
    return figures


def main() -> None:
    """Measure, and print the figures of each repeat."""
    index, root, spare, batch, repeats = sys.argv[1:]
    increments = Increments(Path(index), Path(root), Path(spare), int(batch))
    try:
        print(json.dumps(measure(increments, int(repeats))))
    finally:
        increments.close()


if __name__ == "__main__":
    main()
