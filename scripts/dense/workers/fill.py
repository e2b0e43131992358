"""Bind a collection to a model and fill its vectors: `INDEX MODEL COUNT FOLDER`.

COUNT real passages are embedded, and all vectors are scattered around theirs.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
from scripts.dense.synthetic import SEED, Matrix, ScatteredEmbedder, scattered

from groundkit_core.protocols import Embedder
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.embedding import bind
from groundkit_index.layout import CollectionPaths
from groundkit_index.reader import IndexReader
from groundkit_index.vectors.binding import Binding
from groundkit_index.vectors.feed import VectorFeed
from groundkit_index.vectors.text import embedded_text
from groundkit_index.versions import writing

_QUERIES = 200


def main() -> None:
    """Print how long the vectors took; write centres, and queries from around them, to FOLDER."""
    index, model, count, folder = sys.argv[1:]
    settings = EmbedderSettings("onnx", model)
    embedder = make_embedder(settings)
    centres = _centres(Path(index), embedder, int(count))
    binding = Binding(embedder.identity, settings)
    started = time.perf_counter()
    with writing(CollectionPaths.of(index, "default"), wait=60, notice=None, embed=False) as writer:
        bind(writer, binding)
        feed = VectorFeed(writer.version, ScatteredEmbedder(embedder.identity, centres))
        feed.drain(writer.catalog)
        feed.finish()
        vectors = feed.vectors
    seconds = time.perf_counter() - started
    np.save(Path(folder, "centres.npy"), centres)
    np.save(
        Path(folder, "queries.npy"), scattered(centres, _QUERIES, np.random.default_rng(SEED + 1))
    )
    print(json.dumps({"vectors": vectors, "seconds": seconds}))


def _centres(index: Path, embedder: Embedder, count: int) -> Matrix:
    with IndexReader.open(index) as reader:
        total = reader.read(lambda snapshot: snapshot.facts().chunks)
        keys = list(range(1, total + 1, max(1, total // count)))
        records = reader.read(lambda snapshot: snapshot.chunks(keys))
    return embedder.embed_documents([embedded_text(record) for record in records.values()])


if __name__ == "__main__":
    main()
