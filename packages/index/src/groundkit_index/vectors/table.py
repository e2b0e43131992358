"""The LanceDB table of vectors, with an index once it is large."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from groundkit_core.errors import SettingsError
from groundkit_core.filters import DocumentFilter
from groundkit_index.vectors.slab import Label, Matrix

TABLE = "vectors"
FLAT_ROWS = 20_000
_PROBES, _REFINE = 50, 10
_BATCH = 500


def _connect(folder: Path) -> Any:
    try:
        import lancedb
    except ImportError:
        raise SettingsError(
            "vectors need LanceDB; run `pip install 'groundkit-index[dense]'`"
        ) from None
    return lancedb.connect(str(folder))


class VectorTable:
    """The table, open for the one writer or for a search of a large collection.

    Args:
        folder: the folder `vectors.lance`; made when absent.
        dimensions: length of a vector.
    """

    def __init__(self, folder: Path, dimensions: int) -> None:
        import pyarrow as pa

        database = _connect(folder)
        self._schema = pa.schema(
            [
                pa.field("key", pa.uint64(), nullable=False),
                pa.field("source_class", pa.string()),
                pa.field("project", pa.string()),
                pa.field("digest", pa.string()),
                pa.field("vector", pa.list_(pa.float32(), dimensions)),
            ]
        )
        self._table = database.create_table(TABLE, schema=self._schema, exist_ok=True)

    @property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self._table.count_rows())

    def commit(self, deleted: Sequence[int], labels: Sequence[Label], vectors: Matrix) -> None:
        """Delete keys, then add rows; doing it twice is harmless."""
        gone = sorted({*deleted, *(label.key for label in labels)})
        if self.rows:
            for first in range(0, len(gone), _BATCH):
                keys = ", ".join(map(str, gone[first : first + _BATCH]))
                self._table.delete(f"key in ({keys})")
        if labels:
            self._table.add(self._batch(labels, vectors))

    def _batch(self, labels: Sequence[Label], vectors: Matrix) -> Any:
        import pyarrow as pa

        flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
        return pa.Table.from_arrays(
            [
                pa.array([label.key for label in labels], pa.uint64()),
                pa.array([label.source_class for label in labels]),
                pa.array([label.project for label in labels]),
                pa.array([label.digest.hex() for label in labels]),
                pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
            ],
            schema=self._schema,
        )

    def optimize(self) -> None:
        """Compact fragments, drop old versions, and index the vectors of a large table."""
        self._table.optimize(cleanup_older_than=timedelta(hours=1))
        if self.rows >= FLAT_ROWS and not self._table.list_indices():
            self._table.create_index(
                metric="cosine", vector_column_name="vector", index_type="IVF_RQ"
            )

    def read_all(self) -> tuple[list[Label], Matrix]:
        """Return every row, to make a slab anew."""
        found = self._table.to_arrow()
        columns = (found[name].to_pylist() for name in ("key", "source_class", "project", "digest"))
        labels = [
            Label(key, source_class, project, bytes.fromhex(digest))
            for key, source_class, project, digest in zip(*columns, strict=True)
        ]
        flat = found["vector"].combine_chunks().flatten().to_numpy()
        width = self._schema.field("vector").type.list_size
        return labels, flat.reshape(-1, width).astype(np.float32)

    def search(
        self, query: Matrix, where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, cosine) of the nearest vectors, best first, ties by key."""
        classes = ", ".join(f"'{name}'" for name in sorted(where.classes))
        condition = f"source_class in ({classes})"
        if where.project is not None:
            quoted = where.project.replace("'", "''")
            condition += f" and project = '{quoted}'"
        found = (
            self._table.search(query)
            .metric("cosine")
            .where(condition, prefilter=True)
            .nprobes(_PROBES)
            .refine_factor(_REFINE)
            .select(["key"])
            .limit(limit + offset)
            .to_list()
        )
        hits = [(int(row["key"]), 1.0 - float(row["_distance"])) for row in found]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[offset:]
