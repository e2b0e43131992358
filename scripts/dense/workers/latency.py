"""Time the branches and whole searches: `INDEX QUERIES.json ROUNDS`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from scripts.scale.timing import Call, in_turn

from groundkit_core.filters import DocumentFilter
from groundkit_index import IndexReader
from groundkit_index.vectors.binding import Binding
from groundkit_retrieval import Collection

PAGE, DEPTH = 10, 100
FILTERS: dict[str, str | None] = {"all": None, "half": "half", "hundredth": "hundredth"}


def main() -> None:
    """Print percentiles by what was timed."""
    index, queries, rounds = sys.argv[1:]
    texts: list[str] = json.loads(Path(queries).read_text(encoding="utf-8"))
    with Collection.open(index_dir=index) as collection, IndexReader.open(index) as reader:
        binding: dict[str, Any] | None = reader.read(lambda s: s.binding)
        embedder = Binding.from_manifest(binding or {}).embedder()
        vectors = [embedder.embed_query(text) for text in texts]
        tokens = [reader.analyzer.query_tokens(text) for text in texts]
        everything = DocumentFilter.of("all")
        calls: dict[str, Call] = {
            "embed": lambda number: embedder.embed_query(texts[number]),
            "lexical": lambda number: reader.read(
                lambda s: s.lexical(tokens[number], everything, DEPTH)
            ),
        }
        for name, project in FILTERS.items():
            where = DocumentFilter.of("all", project)
            for depth in (PAGE, DEPTH):
                calls[f"dense_{name}_{depth}"] = _dense(reader, vectors, where, depth)
        for mode in ("lexical", "dense", "hybrid"):
            calls[f"search_{mode}"] = _search(collection, texts, mode)
        print(json.dumps(in_turn(calls, len(texts), int(rounds))))


def _dense(reader: IndexReader, vectors: list[Any], where: DocumentFilter, depth: int) -> Call:
    return lambda number: reader.read(lambda s: s.dense(vectors[number], where, depth))


def _search(collection: Collection, texts: list[str], mode: str) -> Call:
    return lambda number: collection.search(texts[number], mode=mode, limit=PAGE)


if __name__ == "__main__":
    main()
