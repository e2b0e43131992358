"""Damages a real index in one place after another and says what reading it gave.

Run as a script: `damaging.py INDEX PLAN`; the plan is JSON, a list of [file, offset, bit] (that
bit is flipped) and [file, length, null] (the file is cut to that length). It prints
one line of JSON for each: what each operation came to, one of `ok`, `short` (a passage is
missing), `irrelevant` (a true passage that does not answer the query), `wrong: ...` (a passage or
a citation is not the true one), the kind of a GroundkitError, or `raised: ...` for any other
exception.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from groundkit_core.contracts import Citation
from groundkit_core.errors import GroundkitError
from groundkit_retrieval import Collection

QUERIES = ("zebra", "giraffe noon", "number7")
Truth = dict[str, tuple[Any, ...]]
Found = dict[str, set[str]]


def passage(content: str, citation: Citation) -> tuple[Any, ...]:
    """Return all that a reader is told of a passage, but for the verdict."""
    told = citation.model_dump(exclude={"verification"})
    return content, *told.values()


class Reader:
    """Runs the operations and compares what they give with what is true."""

    def __init__(self, index: Path) -> None:
        self._index = index
        self._found: Found = {}
        self._truth: Truth = {}
        with Collection.open(index_dir=index) as collection:
            for query in QUERIES:
                hits = collection.search(query, limit=20, source_class="docs").results
                self._found[query] = {hit.chunk_id for hit in hits}
            for record in collection._reader.chunks():
                if record.source_class == "docs":
                    fetched = collection.fetch(record.chunk_id)
                    told = passage(fetched.content, fetched.citation)
                    self._truth[record.chunk_id] = told
            self._checked = collection.verify().checked

    def outcomes(self) -> dict[str, str]:
        """Return operation -> what it came to."""
        try:
            collection = Collection.open(index_dir=self._index)
        except BaseException as error:  # noqa: BLE001
            return {"open": outcome_of(error)}
        with collection:
            done = {
                f"search {query}": attempt(partial(self._search, collection, query))
                for query in QUERIES
            }
            done["fetch"] = attempt(lambda: self._fetch(collection))
            done["verify"] = attempt(lambda: self._verify(collection))
            done["status"] = attempt(lambda: str(collection.status().chunks and "ok"))
        return done

    def _search(self, collection: Collection, query: str) -> str:
        hits = collection.search(query, limit=20, source_class="docs").results
        for hit in hits:
            if self._truth.get(hit.chunk_id) != passage(hit.content, hit.citation):
                return f"wrong: {hit.citation.source} {hit.citation.verification}"
        found = {hit.chunk_id for hit in hits}
        if found - self._found[query]:
            return "irrelevant"
        return "ok" if found == self._found[query] else "short"

    def _fetch(self, collection: Collection) -> str:
        for chunk_id, true in self._truth.items():
            fetched = collection.fetch(chunk_id)
            if passage(fetched.content, fetched.citation) != true:
                return f"wrong: {fetched.citation.source}"
        return "ok"

    def _verify(self, collection: Collection) -> str:
        report = collection.verify()
        verified = report.verdicts.get("verified", 0)
        return "ok" if verified == report.checked == self._checked else "short"


def attempt(work: Callable[[], str]) -> str:
    try:
        return work()
    except BaseException as error:  # noqa: BLE001 (a panic of the index is no Exception)
        return outcome_of(error)


def outcome_of(error: BaseException) -> str:
    if isinstance(error, GroundkitError):
        return error.kind
    return f"raised: {type(error).__name__}: {str(error)[:80]}"


def damaged(data: bytes, offset: int, bit: int | None) -> bytes:
    if bit is None:
        return data[:offset]
    changed = bytearray(data)
    changed[offset] ^= 1 << bit
    return bytes(changed)


def main(index: str, plan: str) -> None:
    reader = Reader(Path(index))
    for name, offset, bit in json.loads(Path(plan).read_text()):
        path = Path(name)
        whole = path.read_bytes()
        path.write_bytes(damaged(whole, offset, bit))
        print(json.dumps({"at": [path.name, offset, bit], **reader.outcomes()}), flush=True)
        path.write_bytes(whole)


if __name__ == "__main__":
    main(*sys.argv[1:])
