"""Corpora of a number of chunks, in one folder a project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from scripts.scale.splice import Spliced

from groundkit_core.chunking import chunk
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkSettings

PROJECTS = ("half", "hundredth", "rest")
"""Projects of 50 %, 1 % and 49 % of the documents."""

SPARE = "spare"
_SAMPLED = 8
_PER_FOLDER = 1_000
_MARKDOWN, _SIZES = Kind("markdown"), ChunkSettings()


@dataclass(frozen=True, slots=True)
class Written:
    """What a corpus holds.

    Attributes:
        documents: files in the folders of projects.
        bytes: their length.
        spare: files in the folder `spare`, for documents to add later.
    """

    documents: int
    bytes: int
    spare: int


def project_of(number: int) -> str:
    """The project of the document with this number."""
    if number % 2:
        return "half"
    return "hundredth" if number % 100 == 0 else "rest"


def write_corpus(documents: Iterator[Spliced], target: Path, chunks: int, spare: int) -> Written:
    """Write documents until they make about so many chunks, and some more aside.

    A larger corpus begins with the documents of a smaller one.

    Args:
        documents: at least as many as needed.
        target: an empty or absent folder.
        chunks: how many chunks of the default size.
        spare: how many documents to write into the folder `spare`.
    """
    made = _Estimate()
    size = 0
    for document in documents:
        number = made.documents
        folder = target / project_of(number) / f"{number // _PER_FOLDER:04d}"
        size += _write(folder, document)
        made.add(document.text)
        if made.chunks >= chunks:
            break
    aside = sum(1 for one in islice(documents, spare) if _write(target / SPARE, one))
    return Written(made.documents, size, aside)


class _Estimate:
    """How many chunks documents make, from their length and the chunks of every eighth."""

    def __init__(self) -> None:
        self.documents = 0
        self._chars = 0
        self._sample_chars = 0
        self._sample_chunks = 0

    def add(self, text: str) -> None:
        if self.documents % _SAMPLED == 0:
            self._sample_chars += len(text)
            self._sample_chunks += len(chunk(text, _MARKDOWN, _SIZES).spans)
        self.documents += 1
        self._chars += len(text)

    @property
    def chunks(self) -> float:
        return self._chars * self._sample_chunks / self._sample_chars


def _write(folder: Path, document: Spliced) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    data = document.text.encode()
    (folder / document.name).write_bytes(data)
    return len(data)
