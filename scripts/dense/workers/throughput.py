"""Embed a collection and run the bare loop in turn: `INDEX MODEL ROUNDS`."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scripts.bench.errors import BenchError
from scripts.dense.bare import BareModel

from groundkit_core.protocols import Embedder
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.embedding import bind
from groundkit_index.layout import CollectionPaths
from groundkit_index.reader import IndexReader
from groundkit_index.vectors.binding import Binding
from groundkit_index.vectors.feed import VectorFeed
from groundkit_index.vectors.text import embedded_text
from groundkit_index.versions import writing

_AGREEMENT = 0.99


@dataclass(frozen=True, slots=True)
class Took:
    """Wall time, and the processor time of all threads."""

    seconds: float
    cpu_seconds: float


def backfill(index: Path, embedder: Embedder, settings: EmbedderSettings, texts: int) -> Took:
    """Embed a lexical collection of so many texts from catalog to disk."""
    paths = CollectionPaths.of(index, "default")
    with writing(paths, wait=60, notice=None, embed=False) as writer:
        bind(writer, Binding(embedder.identity, settings))
        feed = VectorFeed(writer.version, embedder)
        took = _timed(lambda: feed.drain(writer.catalog))
        if feed.embedded != texts:
            raise BenchError(f"{feed.embedded} texts were embedded instead of {texts}")
        return took


def main() -> None:
    """Print texts a second of each, by the best round: what else runs can only add to it."""
    index, model, rounds = sys.argv[1:]
    settings = EmbedderSettings("onnx", model)
    embedder, bare = make_embedder(settings), BareModel(Path(model))
    with IndexReader.open(index) as reader:
        texts = list(dict.fromkeys(embedded_text(record) for record in reader.chunks()))
    _check(bare, embedder, texts[:50])
    taken: dict[str, list[Took]] = {"bare": [], "embedder": [], "backfill": []}
    for _ in range(int(rounds)):
        taken["bare"].append(_timed(lambda: bare.embed(texts)))
        with tempfile.TemporaryDirectory(dir=Path(index).parent) as scratch:
            copy = shutil.copytree(index, Path(scratch, "index"))
            taken["backfill"].append(backfill(copy, embedder, settings, len(texts)))
        taken["embedder"].append(_timed(lambda: embedder.embed_documents(texts)))
    figures = {"texts": float(len(texts))}
    for name, took in taken.items():
        figures[f"{name}_rate"] = len(texts) / min(one.seconds for one in took)
        figures[f"{name}_cpu_rate"] = len(texts) / min(one.cpu_seconds for one in took)
    print(json.dumps(figures))


def _check(bare: BareModel, embedder: Embedder, texts: list[str]) -> None:
    """Refuse to compare loops that do not compute the same."""
    cosines = np.einsum("ij,ij->i", bare.embed(texts), embedder.embed_documents(texts))
    if cosines.min() < _AGREEMENT:
        raise BenchError("the bare loop and the embedder give other vectors")


def _timed(work: Callable[[], object]) -> Took:
    started, before = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - started, time.process_time() - before)


if __name__ == "__main__":
    main()
