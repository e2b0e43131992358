"""Queries a collection without pause and notes every answer.

Run as a script: `reading.py INDEX ANSWERS SECONDS SEED WORD...`. Each answer is a line of JSON: the
generation that it names, the word, the passages as [source, content, chunk id, verdict], and the
milliseconds it took; an exception is noted as such.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from groundkit_core.errors import ChunkNotFoundError
from groundkit_retrieval import Collection


def ask(collection: Collection, words: list[str], chance: random.Random) -> dict[str, Any]:
    word = chance.choice(words)
    began = time.perf_counter()
    answer = collection.search(word, limit=8)
    took = 1000 * (time.perf_counter() - began)
    hits = [
        (hit.citation.source, hit.content, hit.chunk_id, hit.citation.verification)
        for hit in answer.results
    ]
    if hits and chance.random() < 0.2:
        fetch(collection, *hits[0][1:3])
    return {"generation": answer.metadata.generation, "word": word, "hits": hits, "took": took}


def fetch(collection: Collection, content: str, chunk_id: str) -> None:
    try:
        passage = collection.fetch(chunk_id)
    except ChunkNotFoundError:
        return  # the writer has removed it since
    if passage.content != content:
        raise ValueError(f"chunk {chunk_id} has another content")


def main(index: str, answers: str, seconds: str, seed: str, *words: str) -> None:
    chance = random.Random(int(seed))
    end = time.monotonic() + float(seconds)
    with Path(answers).open("w") as notes:

        def note(line: dict[str, Any]) -> None:
            notes.write(json.dumps(line) + "\n")

        while time.monotonic() < end:
            try:
                with Collection.open(index_dir=index) as collection:
                    while time.monotonic() < end:
                        note(ask(collection, list(words), chance))
            except BaseException as error:  # noqa: BLE001 (a panic is no Exception)
                note({"failed": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main(*sys.argv[1:])
