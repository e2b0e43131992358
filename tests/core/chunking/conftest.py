from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from groundkit_core.chunking import chunk
from groundkit_core.kinds import kind_of
from groundkit_core.model import ChunkSettings


class Chunk(NamedTuple):
    path: tuple[str, ...]
    content: str


class Chunked(NamedTuple):
    title: str
    chunks: list[Chunk]

    @property
    def paths(self) -> list[tuple[str, ...]]:
        return [chunk.path for chunk in self.chunks]

    @property
    def contents(self) -> list[str]:
        return [chunk.content for chunk in self.chunks]

    def holding(self, part: str) -> Chunk:
        """The only chunk whose content holds `part`."""
        (found,) = (chunk for chunk in self.chunks if part in chunk.content)
        return found


Chunker = Callable[..., Chunked]


@pytest.fixture
def chunked() -> Chunker:
    """Chunks a text as the document of a given name, with a given target and cap."""

    def run(source: str, text: str, target: int = 1000, cap: int | None = None) -> Chunked:
        kind = kind_of(source)
        assert kind is not None
        result = chunk(text, kind, ChunkSettings(target, cap or 2 * target))
        return Chunked(
            result.title,
            [Chunk(span.heading_path, text[span.start : span.end]) for span in result.spans],
        )

    return run
