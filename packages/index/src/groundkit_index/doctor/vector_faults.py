"""Finds what is wrong with stored vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_core.errors import CorruptIndexError, SettingsError
from groundkit_core.filters import DocumentFilter
from groundkit_core.model import EmbeddingIdentity
from groundkit_index.catalog import queries
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.doctor.expected import Expected, Keys, Labels
from groundkit_index.doctor.stored import BLOCK, open_slab, open_table, sound
from groundkit_index.layout import VersionPaths
from groundkit_index.vectors.binding import Binding
from groundkit_index.vectors.damage import reading
from groundkit_index.vectors.slab import LABELS, Matrix, Slab
from groundkit_index.vectors.table import VectorTable

_FLAT, _TABLE = "flat copy", "table"
_PROBES = 20
_SAME = 0.999


def vector_faults(version: VersionPaths, reader: CatalogReader) -> Iterator[str]:
    """Yield one line for each fault of the flat copy, of the table, and between them."""
    bound = reader.read(queries.embedding)
    identity = Binding.from_manifest(bound or {}).identity
    expected = reader.read(Expected)
    slab: list[Slab] = []

    def flat() -> list[str]:
        found = open_slab(version.slab, identity.dimensions)
        if found is None:
            return list(_absent(_FLAT, expected))
        faults = list(_slab_faults(found, expected, identity))
        slab.append(found)
        return faults

    def table() -> list[str]:
        found = open_table(version, identity.dimensions)
        if found is None:
            return list(_absent(_TABLE, expected))
        return list(_table_faults(found, slab[0] if slab else None, expected, identity))

    yield from _guarded(_FLAT, flat)
    yield from _guarded(_TABLE, table)


def _guarded(place: str, work: Callable[[], list[str]]) -> list[str]:
    try:
        with reading():
            return work()
    except CorruptIndexError:
        return [f"{place}: it cannot be read"]
    except SettingsError as error:
        return [f"{place}: it was not checked ({error})"]


def _absent(place: str, expected: Expected) -> Iterator[str]:
    number = len(expected.settled(expected.labels["key"]))
    if number:
        yield f"{place}: it is gone, and with it {number} vectors"


def _slab_faults(slab: Slab, expected: Expected, identity: EmbeddingIdentity) -> Iterator[str]:
    live = np.flatnonzero(slab.labels["key"])
    labels = expected.recoded(slab.labels[live], slab.projects)
    yield from _label_faults(_FLAT, labels, expected)
    for first in range(0, len(live), BLOCK):
        rows = live[first : first + BLOCK]
        keys = slab.labels["key"][rows]
        yield from _unsound(_FLAT, keys, slab.vectors[rows], expected, identity)


def _table_faults(
    table: VectorTable, slab: Slab | None, expected: Expected, identity: EmbeddingIdentity
) -> Iterator[str]:
    labels = [np.empty(0, LABELS)]
    place = _Rows(slab) if slab else None
    samples: list[Matrix] = []
    for found, vectors in table.batches(BLOCK):
        rows = expected.rows(found)
        labels.append(rows)
        samples.append(vectors[:1])
        yield from _unsound(_TABLE, rows["key"], vectors, expected, identity)
        if place:
            differing = place.differing(rows["key"], vectors)
            for key in expected.settled(differing):
                yield f"flat copy and table hold different vectors of chunk {key}"
    yield from _label_faults(_TABLE, np.concatenate(labels), expected)
    if table.indexed and not _finds(table, samples[:_PROBES]):
        yield f"{_TABLE}: its index does not find what it holds"


def _finds(table: VectorTable, samples: list[Matrix]) -> bool:
    """Return whether the nearest vector of each of these is itself."""
    everywhere = DocumentFilter(frozenset(SOURCE_CLASSES))
    nearest = (table.search(vector[0], everywhere, 1) for vector in samples)
    return all(hits and hits[0][1] > _SAME for hits in nearest)


class _Rows:
    """The rows of a slab, found by key."""

    def __init__(self, slab: Slab) -> None:
        live = np.flatnonzero(slab.labels["key"])
        self._rows = live[np.argsort(slab.labels["key"][live], kind="stable")]
        self._keys: Keys = slab.labels["key"][self._rows]
        self._vectors = slab.vectors

    def differing(self, keys: Keys, vectors: Matrix) -> Keys:
        """Return the keys whose vectors are others here; those that are not here do not count."""
        known = np.isin(keys, self._keys)
        rows = self._rows[np.searchsorted(self._keys, keys[known])]
        changed = (self._vectors[rows] != vectors[known]).any(axis=1)
        return np.asarray(keys[known][changed])


def _unsound(
    place: str, keys: Keys, vectors: Matrix, expected: Expected, identity: EmbeddingIdentity
) -> Iterator[str]:
    what = "finite and of unit length" if identity.normalized else "finite"
    bad = keys[~sound(vectors, normalized=identity.normalized)]
    for key in expected.settled(bad):
        yield f"{place}: the vector of chunk {key} is not {what}"


def _label_faults(place: str, labels: Labels, expected: Expected) -> Iterator[str]:
    keys, counts = np.unique(labels["key"], return_counts=True)
    held = expected.labels["key"]
    for key in expected.settled(keys[counts > 1]):
        yield f"{place}: chunk {key} is there more than once"
    for key in expected.settled(np.setdiff1d(held, keys)):
        yield f"{place}: chunk {key} has no vector"
    for key in expected.settled(np.setdiff1d(keys, held)):
        yield f"{place}: chunk {key} has a vector but is gone"
    yield from _mislabelled(place, labels, expected)


def _mislabelled(place: str, labels: Labels, expected: Expected) -> Iterator[str]:
    held = expected.labels["key"]
    shared = expected.settled(np.intersect1d(labels["key"], held))
    ordered = labels[np.argsort(labels["key"], kind="stable")]
    ours = ordered[np.searchsorted(ordered["key"], shared)]
    theirs = expected.labels[np.searchsorted(held, shared)]
    for key in shared[ours["digest"] != theirs["digest"]]:
        yield f"{place}: the vector of chunk {key} is of another text"
    filed = ("class", "project", "document")
    other = np.logical_or.reduce([ours[name] != theirs[name] for name in filed])
    for key in shared[other]:
        yield f"{place}: the vector of chunk {key} is filed under other labels"
