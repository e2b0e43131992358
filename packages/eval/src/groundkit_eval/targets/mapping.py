"""Fills what is asked into a template, and reads results out of an answer by dotted paths."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, cast, get_args

from groundkit_core.contracts import Verdict
from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.model import JudgedQuery, Place
from groundkit_eval.runs import Answer, RankedChunk
from groundkit_eval.targets.definitions import Fields, Folded, McpTarget, RestTarget

_VERDICTS = get_args(Verdict)
_ASKED = re.compile(r"\{(query|limit|source_class)\}")


def filled(template: Any, query: JudgedQuery, limit: int) -> Any:
    """Return a template with what is asked put in.

    `{query}` is the text, `{source_class}` the class that is searched, and `{limit}` how many
    results are wanted: a number where it stands alone.
    """
    if isinstance(template, dict):
        return {key: filled(value, query, limit) for key, value in template.items()}
    if isinstance(template, list):
        return [filled(value, query, limit) for value in template]
    if not isinstance(template, str):
        return template
    if template == "{limit}":
        return limit
    told = {"query": query.text, "limit": str(limit), "source_class": query.source_class}
    return _ASKED.sub(lambda found: told[found[1]], template)


def look_up(value: Any, path: str) -> Any:
    """Return what stands at a dotted path, such as `citation.source`; None where nothing does.

    A number is a place in a list; an empty path is the whole.
    """
    for part in path.split(".") if path else ():
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


class Mapped:
    """Reads the answers of one target.

    Args:
        name: the target's name, for messages.
        target: where an answer holds what.
        names: source -> document id, where files stand for the documents of a judged set.
    """

    def __init__(self, name: str, target: McpTarget | RestTarget, names: Mapping[str, str]) -> None:
        self._name = name
        self._results = target.results
        self._fields: Fields = target.fields
        self._folded = target.folded
        self._root = target.root
        self._names = names

    def answer(self, document: Any, limit: int) -> Answer:
        """Return the answer that a document of JSON holds; no results are an abstention.

        Raises:
            EvaluationError: it holds no list of results, or a result has no source.
        """
        found = look_up(document, self._results)
        if not isinstance(found, list):
            raise self._wrong(f"has no list of results at {self._results!r}")
        if self._fields.score is not None:
            found = sorted(found, key=self._falling)
        chunks = tuple(map(self._chunk, found[:limit]))
        return Answer(_distinct(chunks), abstained=not chunks)

    def _falling(self, result: Any) -> float:
        score = look_up(result, self._fields.score or "")
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise self._wrong(f"has no number at {self._fields.score!r} of a result")
        return -score

    def _chunk(self, result: Any) -> RankedChunk:
        place = self._place(result, self._fields, self._told(result, self._fields.text))
        told = self._told(result, self._fields.id)
        verdict = self._told(result, self._fields.verification)
        return RankedChunk(
            told or _id_of(place),
            place,
            folded=tuple(self._duplicates(result)),
            verification=cast("Verdict", verdict) if verdict in _VERDICTS else None,
        )

    def _duplicates(self, result: Any) -> Iterator[Place]:
        if self._folded is not None:
            found = look_up(result, self._folded.list)
            for duplicate in found if isinstance(found, list) else ():
                yield self._place(duplicate, self._folded)

    def _place(self, result: Any, fields: Fields | Folded, text: str = "") -> Place:
        source = self._told(result, fields.source)
        if not source:
            raise self._wrong(f"has no source at {fields.source!r} of a result")
        if self._root and source.startswith(f"{self._root.rstrip('/')}/"):
            source = PurePosixPath(source).relative_to(self._root).as_posix()
        return Place(self._names.get(source, source), *_span(result, fields), text)

    def _told(self, result: Any, path: str | None) -> str:
        value = None if path is None else look_up(result, path)
        return str(value) if isinstance(value, str | int) else ""

    def _wrong(self, what: str) -> EvaluationError:
        return EvaluationError(
            f"an answer of {self._name} {what}; check its mapping in the file of targets"
        )


def _span(result: Any, fields: Fields | Folded) -> tuple[int, int]:
    """Return the span, which is empty when the result tells none that can be."""
    if fields.start is None or fields.end is None:
        return 0, 0
    start, end = look_up(result, fields.start), look_up(result, fields.end)
    if type(start) is int and type(end) is int and 0 <= start <= end:
        return start, end
    return 0, 0


def _id_of(place: Place) -> str:
    if place.spans:
        return f"{place.source}:{place.start}-{place.end}"
    digest = hashlib.sha256(place.text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{place.source}#{digest}" if place.text else place.source


def _distinct(chunks: tuple[RankedChunk, ...]) -> tuple[RankedChunk, ...]:
    """Return the chunks without repetitions: a ranking names each one once."""
    return tuple({chunk.chunk_id: chunk for chunk in reversed(chunks)}.values())[::-1]
