"""Time ours and bare tantivy in turn: `INDEX BARE QUERIES.json ASKED.json ROUNDS`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scripts.bench.errors import BenchError
from scripts.scale.bare import BareIndex
from scripts.scale.lexical import OurIndex
from scripts.scale.timing import Call, in_turn

from groundkit_core.filters import DocumentFilter
from groundkit_index import IndexReader
from groundkit_retrieval import Collection

PAGE, DEPTH = 10, 100
FILTERS: dict[str, str | None] = {"all": None, "half": "half", "hundredth": "hundredth"}


def main() -> None:
    """Print percentiles by what was timed, and how many queries had an answer."""
    index, bare, *files, rounds = sys.argv[1:]
    texts, asked = (json.loads(Path(file).read_text(encoding="utf-8")) for file in files)
    with Collection.open(index_dir=index) as collection, IndexReader.open(index) as reader:
        calls: dict[str, Call] = {}
        answered = sum(_check(collection, text) for text in texts)
        engine = BareIndex(Path(bare))
        for name, project in FILTERS.items():
            calls[f"search_{name}"] = _search(collection, texts, project)
            calls[f"bare_{name}_{PAGE}"] = _bare(engine, asked, project, PAGE)
            calls[f"lexical_{name}"] = _lexical(reader, asked, project)
            calls[f"bare_{name}_{DEPTH}"] = _bare(engine, asked, project, DEPTH)
        figures = in_turn(calls, len(texts), int(rounds))
    report = {
        "times": figures,
        "answered": answered,
        "segments": OurIndex(index).segments,
        "bare_segments": engine.segments,
    }
    print(json.dumps(report))


def _search(collection: Collection, texts: list[str], project: str | None) -> Call:
    return lambda number: collection.search(texts[number], limit=PAGE, project=project)


def _lexical(reader: IndexReader, asked: list[list[str]], project: str | None) -> Call:
    where = DocumentFilter.of("all", project)
    return lambda number: reader.read(lambda s: s.lexical(asked[number], where, DEPTH))


def _bare(engine: BareIndex, asked: list[list[str]], project: str | None, limit: int) -> Call:
    return lambda number: engine.search(asked[number], project, limit)


def _check(collection: Collection, text: str) -> bool:
    """Whether the query has an answer; an answer from a project that was not asked for is none."""
    for project in filter(None, FILTERS.values()):
        hits = collection.search(text, limit=PAGE, project=project).results
        if any(hit.citation.project != project for hit in hits):
            raise BenchError(f"a search of project {project} answers from another")
    return bool(collection.search(text, limit=PAGE).results)


if __name__ == "__main__":
    main()
