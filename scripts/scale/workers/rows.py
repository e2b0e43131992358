"""Write the tokens of all chunks and of the queries: `INDEX QUERIES.json ROWS ASKED.json`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from scripts.bench.errors import BenchError
from scripts.scale.rows import Row

from groundkit_core.analysis import Analyzer
from groundkit_index import IndexReader
from groundkit_index.catalog.records import ChunkRecord

_PORTION = 1_000


def chunks_by_key(reader: IndexReader) -> Iterator[ChunkRecord]:
    """Yield the chunks of a collection that was filled once: their keys are 1, 2, 3...

    Raises:
        BenchError: a key is missing.
    """
    total = reader.read(lambda snapshot: snapshot.facts().chunks)
    for first in range(1, total + 1, _PORTION):
        yield from _portion(reader, list(range(first, min(first + _PORTION, total + 1))))


def _portion(reader: IndexReader, keys: list[int]) -> list[ChunkRecord]:
    held = reader.read(lambda snapshot: snapshot.chunks(keys))
    if len(held) != len(keys):
        raise BenchError("the keys of the collection are not contiguous")
    return [held[key] for key in keys]


def main() -> None:
    """Write the files and print how many chunks, tokens and different tokens there are."""
    index, queries, rows, asked = map(Path, sys.argv[1:])
    vocabulary: set[str] = set()
    chunks = tokens = 0
    with IndexReader.open(index) as reader, rows.open("w", encoding="utf-8", newline="\n") as out:
        row_of = _RowMaker(reader.analyzer)
        for record in chunks_by_key(reader):
            row = row_of(record)
            out.write(row.line())
            body = row.body.split()
            vocabulary.update(body)
            chunks += 1
            tokens += len(body)
        texts = json.loads(queries.read_text(encoding="utf-8"))
        # Engines differ in what a token that is asked twice counts; ours counts it once.
        unique = [list(dict.fromkeys(reader.analyzer.query_tokens(text))) for text in texts]
    asked.write_text(json.dumps(unique), encoding="utf-8")
    print(json.dumps({"chunks": chunks, "tokens": tokens, "vocabulary": len(vocabulary)}))


class _RowMaker:
    """Turns chunks into rows; titles and paths recur, so their tokens are kept."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._body = analyzer.joined
        self._label = lru_cache(256)(analyzer.joined)

    def __call__(self, record: ChunkRecord) -> Row:
        return Row(
            project=record.project,
            body=self._body(record.content),
            headings=self._label("\n".join((record.title, *record.heading_path))),
            path=self._label(record.source),
        )


if __name__ == "__main__":
    main()
