"""What goes to a reading process and what comes back: lines of JSON, never code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from groundkit_core.structure import Box
from groundkit_index.reading import Job, Outcome, ReadSettings


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote to look for: its text, its context, and where it stood."""

    exact: str
    prefix: str
    suffix: str
    start: int


@dataclass(frozen=True, slots=True)
class Locate:
    """Asks where quotes stand in a document now.

    Attributes:
        root: the root's path, as the catalog has it.
        snapshots: the folder of fetched documents.
        kind: the format.
    """

    root: str
    snapshots: str
    source: str
    kind: str
    max_bytes: int
    quotes: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class Located:
    """Where one quote stands now; see `groundkit_core.anchors`."""

    verdict: Literal["verified", "relocated", "drifted"]
    start: int
    end: int
    start_line: int
    end_line: int
    page: int | None
    place: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Asks for an image of a page with rectangles on it; fields as in `Locate`.

    Attributes:
        page: from 1.
        boxes: the rectangles.
        scale: pixels a point.
    """

    root: str
    snapshots: str
    source: str
    max_bytes: int
    page: int
    boxes: tuple[Box, ...]
    scale: float


@dataclass(frozen=True, slots=True)
class Read:
    """Asks to read a document for the catalog."""

    job: Job
    settings: ReadSettings


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it; an image is PNG in base64."""

    outcome: Outcome | None = None
    located: tuple[Located, ...] | None = None
    image: str | None = None
    refusal: tuple[str, str] | None = None


REQUEST: TypeAdapter[Read | Locate | Draw] = TypeAdapter(Read | Locate | Draw)
ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
