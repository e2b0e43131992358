"""Compare the vectors of a collection with exact neighbours: `INDEX QUERIES.npy COUNT`."""

from __future__ import annotations

import json
import sys

import numpy as np
from scripts.dense.exact import recall
from scripts.dense.workers.latency import FILTERS

from groundkit_index.layout import CollectionPaths
from groundkit_index.vectors.searcher import VectorIndex
from groundkit_index.vectors.slab import Slab


def main() -> None:
    """Print recall@10 by filter."""
    index, queries, count = sys.argv[1:]
    version = CollectionPaths.of(index, "default").current()
    slab, asked = Slab.open(version.slab), np.load(queries)[: int(count)]
    searcher = VectorIndex(version, asked.shape[1])
    shares = {
        name: recall(searcher.search, slab, asked, project) for name, project in FILTERS.items()
    }
    print(json.dumps(shares))


if __name__ == "__main__":
    main()
