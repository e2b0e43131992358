"""The LanceDB table of vectors, with an index once it is large."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import numpy as np

from groundkit_core.errors import SettingsError
from groundkit_core.filters import DocumentFilter
from groundkit_index.vectors.damage import reading
from groundkit_index.vectors.scan import Matrix
from groundkit_index.vectors.slab import Label

TABLE = "vectors"
INDEXED_ROWS = 500_000
"""Up to so many rows the flat copy is searched and no index is needed; see ADR 0009."""

_QUOTE = "'"
_PROBES, _REFINE = 50, 10
_KEYS_AT_ONCE = 500
_MOST_FRAGMENTS = 64
_COMMITS_BETWEEN = 256
_KEPT = timedelta(seconds=1)
# Lance reads ahead up to 2 GiB on every core, which an index of a large table would fill.
_LANCE_DEFAULTS = {"LANCE_DEFAULT_IO_BUFFER_SIZE": str(64 * 2**20), "LANCE_IO_THREADS": "4"}


def _connect(folder: Path) -> Any:
    for name, value in _LANCE_DEFAULTS.items():
        os.environ.setdefault(name, value)
    try:
        import lancedb
    except ImportError:
        raise SettingsError(
            "vectors need LanceDB; run `pip install 'groundkit-index[dense]'`"
        ) from None
    return lancedb.connect(str(folder))


def _schema(dimensions: int) -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("key", pa.uint64(), nullable=False),
            pa.field("source_class", pa.string()),
            pa.field("project", pa.string()),
            pa.field("digest", pa.string()),
            pa.field("document", pa.uint64()),
            pa.field("vector", pa.list_(pa.float32(), dimensions)),
        ]
    )


class VectorTable:
    """The table, open for the one writer or for searches of a large collection.

    Args:
        folder: the folder `vectors.lance`; made when absent.
        dimensions: length of a vector.
    """

    def __init__(self, folder: Path, dimensions: int) -> None:
        schema = _schema(dimensions)
        self._hold(_connect(folder).create_table(TABLE, schema=schema, exist_ok=True), schema)

    def _hold(self, table: Any, schema: Any) -> None:
        self._table, self._schema = table, schema
        self._largest: int | None = None
        self._commits = 0

    @classmethod
    def existing(cls, folder: Path, dimensions: int) -> Self:
        """Open a table that is there, and make nothing.

        Raises:
            ValueError: there is none, or its columns are others.
        """
        if not cls.is_there(folder):
            raise ValueError("there is no table")
        table = cls.__new__(cls)
        table._hold(_connect(folder).open_table(TABLE), _schema(dimensions))
        if not table._table.schema.equals(table._schema):
            raise ValueError("the table has other columns")
        return table

    @staticmethod
    def is_there(folder: Path) -> bool:
        """Return whether a folder holds a table, without opening it."""
        return (folder / f"{TABLE}.lance").is_dir()

    @property
    def indexed(self) -> bool:
        """Whether vectors are found through an index."""
        return bool(self._table.list_indices())

    @property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self._table.count_rows())

    def commit(self, deleted: Sequence[int], labels: Sequence[Label], vectors: Matrix) -> None:
        """Delete keys, then add rows; doing it twice is harmless."""
        if self._largest is None:
            self._largest = self._largest_key()
        largest = self._largest
        # Keys only grow, so that the new ones of a backfill need no search.
        gone = sorted({*deleted, *(label.key for label in labels)})
        known = [key for key in gone if key <= largest]
        for first in range(0, len(known), _KEYS_AT_ONCE):
            keys = ", ".join(map(str, known[first : first + _KEYS_AT_ONCE]))
            self._table.delete(f"key in ({keys})")
        if labels:
            self._table.add(self._batch(labels, vectors))
            self._largest = max(largest, *(label.key for label in labels))
        self._commits += 1
        if self._commits % _COMMITS_BETWEEN == 0:
            self._compact()

    def _largest_key(self) -> int:
        import pyarrow.compute as pc

        keys = self._table.search().select(["key"]).to_arrow()["key"]
        return int(pc.max(keys).as_py() or 0)

    def _batch(self, labels: Sequence[Label], vectors: Matrix) -> Any:
        import pyarrow as pa

        flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
        return pa.Table.from_arrays(
            [
                pa.array([label.key for label in labels], pa.uint64()),
                pa.array([label.source_class for label in labels]),
                pa.array([label.project for label in labels]),
                pa.array([label.digest.hex() for label in labels]),
                pa.array([label.document for label in labels], pa.uint64()),
                pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
            ],
            schema=self._schema,
        )

    def optimize(self, most_scanned: int = INDEXED_ROWS) -> None:
        """Merge many small commits, drop old versions, and index the vectors of a large table.

        Few small commits are left as they are: merging them would rewrite all rows for each
        change. Rows that are not in the index yet are scanned, so that they are found too. A
        reader that has a dropped version open must open the table again.

        Args:
            most_scanned: a table of more rows is indexed.
        """
        if self._is_scattered():
            self._compact()
        if self.rows > most_scanned and not self.indexed:
            from lancedb.index import IvfRq

            self._table.create_index("vector", config=IvfRq(distance_type="cosine"))
            self._compact()

    def _is_scattered(self) -> bool:
        fragments = int(self._table.stats()["fragment_stats"]["num_fragments"])
        return max(fragments, len(self._table.list_versions())) > _MOST_FRAGMENTS

    def _compact(self) -> None:
        # Rows that came after the index go into it as well.
        self._table.optimize(cleanup_older_than=_KEPT)

    def read_all(self) -> tuple[list[Label], Matrix]:
        """Return every row of a small table."""
        labels: list[Label] = []
        vectors = [np.empty((0, self._schema.field("vector").type.list_size), np.float32)]
        for some, of_these in self.batches():
            labels += some
            vectors.append(of_these)
        return labels, np.concatenate(vectors)

    def batches(self, rows: int = 4_096) -> Iterator[tuple[list[Label], Matrix]]:
        """Yield every row, up to `rows` at a time."""
        width = self._schema.field("vector").type.list_size
        for batch in self._table.search().to_batches(batch_size=rows):
            names = ("key", "source_class", "project", "digest", "document")
            columns = (batch.column(name).to_pylist() for name in names)
            labels = [
                Label(key, source_class, project, bytes.fromhex(digest), document)
                for key, source_class, project, digest, document in zip(*columns, strict=True)
            ]
            flat = batch.column("vector").flatten().to_numpy(zero_copy_only=False)
            yield labels, flat.reshape(-1, width).astype(np.float32)

    def search(
        self, query: Matrix, where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, cosine) of the nearest vectors, best first, ties by key.

        Raises:
            CorruptIndexError: the table cannot be read, or has changed since it was opened.
        """
        with reading():
            found = self._nearest(query, _condition(where), limit + offset)
        hits = [(int(row["key"]), 1.0 - float(row["_distance"])) for row in found]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[offset:]

    def _nearest(self, query: Matrix, condition: str, limit: int) -> list[dict[str, Any]]:
        search = self._table.search(query).metric("cosine").where(condition, prefilter=True)
        search = search.nprobes(_PROBES).refine_factor(_REFINE)
        rows: list[dict[str, Any]] = search.select(["key", "_distance"]).limit(limit).to_list()
        return rows


def _condition(where: DocumentFilter) -> str:
    if where.among is not None:
        left_out = len(where.among.others) < len(where.among.keys)
        named = where.among.others if left_out else where.among.keys
        keys = ", ".join(map(str, sorted(named)))
        if not keys:
            return "true" if left_out else "false"
        return f"document {'not in' if left_out else 'in'} ({keys})"
    if not where.classes or (where.only is not None and not where.only):
        return "false"
    classes = ", ".join(f"'{name}'" for name in sorted(where.classes))
    condition = f"source_class in ({classes})"
    if where.only is not None:
        names = ", ".join(f"'{name.replace(_QUOTE, 2 * _QUOTE)}'" for name in sorted(where.only))
        condition += f" and project in ({names})"
    return condition
