"""The folder that a run is resumed from: its inputs, and the answers it has gathered."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from groundkit_eval.errors import EvaluationError
from groundkit_eval.files import read_text, write_text
from groundkit_eval.judgments.model import JudgedQuery, Place
from groundkit_eval.judgments.problems import one_line
from groundkit_eval.runs import Answer, RankedChunk

_INPUTS = "inputs.json"


class RunState:
    """Answers that are kept while a run goes on, so that another run takes them up.

    Args:
        folder: where they are kept; it is made when absent.

    Raises:
        EvaluationError: the folder cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            known = (folder / _INPUTS).exists()
            self._inputs: dict[str, str] = json.loads(read_text(folder / _INPUTS)) if known else {}
        except (OSError, ValueError):
            raise EvaluationError(
                f"{one_line(folder.name)} cannot be used by --resume; name an empty folder"
            ) from None

    def check(self, name: str, value: object) -> None:
        """Note an input, or compare it with the one that the answers were gathered under.

        Raises:
            EvaluationError: it has changed.
        """
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if self._inputs.setdefault(name, digest) != digest:
            raise EvaluationError(
                f"{name} changed since {one_line(self.folder.name)} was begun, so its answers "
                "cannot be taken up; name another folder, or remove this one"
            )
        write_text(self.folder / _INPUTS, json.dumps(self._inputs, indent=1) + "\n")

    @contextlib.contextmanager
    def answers(self, system: str) -> Iterator[KeptAnswers]:
        """Give the answers of a system, and keep those that are added."""
        slug = hashlib.sha256(system.encode()).hexdigest()[:12]
        path = self.folder / f"answers-{slug}.jsonl"
        kept, length = _read(path)
        with path.open("r+b" if path.exists() else "wb") as file:
            file.truncate(length)
            file.seek(length)
            yield KeptAnswers(kept, file)


class KeptAnswers:
    """The answers of one system by query.

    Args:
        kept: those of an earlier run.
        file: takes up new ones, a line each.
    """

    def __init__(self, kept: dict[str, tuple[Answer, float]], file: IO[bytes]) -> None:
        self._kept = kept
        self._file = file

    def kept(self, query: JudgedQuery) -> tuple[Answer, float] | None:
        """Return the answer to a query and its milliseconds, when it was kept."""
        return self._kept.get(query.id)

    def keep(self, query: JudgedQuery, answer: Answer, milliseconds: float) -> None:
        """Keep an answer."""
        row = {"id": query.id, "ms": milliseconds, "abstained": answer.abstained}
        row["chunks"] = [_chunk_row(chunk) for chunk in answer.chunks]
        self._file.write(json.dumps(row).encode() + b"\n")
        self._file.flush()


def _read(path: Path) -> tuple[dict[str, tuple[Answer, float]], int]:
    """Return the answers of a file, and where it ends; a line that was torn is not counted."""
    kept: dict[str, tuple[Answer, float]] = {}
    length = 0
    if path.exists():
        with path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                try:
                    row = json.loads(line)
                    chunks = tuple(map(_chunk, row["chunks"]))
                    kept[row["id"]] = Answer(chunks, row["abstained"]), row["ms"]
                except (ValueError, KeyError, TypeError):
                    raise EvaluationError(
                        f"{path.name} holds a line that is no answer; remove the file"
                    ) from None
                length += len(line)
    return kept, length


def _chunk_row(chunk: RankedChunk) -> list[Any]:
    folded = [_place_row(place) for place in chunk.folded]
    return [chunk.chunk_id, _place_row(chunk.place), folded, chunk.verification]


def _chunk(row: list[Any]) -> RankedChunk:
    chunk_id, place, folded, verification = row
    return RankedChunk(
        chunk_id, Place(*place), tuple(Place(*other) for other in folded), verification
    )


def _place_row(place: Place) -> list[str | int]:
    return [place.source, place.start, place.end, place.text]
