"""Reads judgments from JSON Lines."""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.model import GoldQuote, Judgment
from groundkit_eval.judgments.problems import Problems, one_line

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAX_BYTES = 256 * 2**20
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class JudgmentFile:
    """What a judgments file holds.

    Attributes:
        sha256: digest of its bytes.
        judgments: the well-formed ones by line, counted from 1.
        problems: what is wrong with the other lines.
    """

    name: str
    sha256: str
    judgments: dict[int, Judgment]
    problems: Problems


def read_judgments(path: Path) -> JudgmentFile:
    """Read a judgments file; malformed lines become its problems.

    Raises:
        EvaluationError: the file cannot be read or holds no line.
    """
    data = read_bytes(path)
    problems = Problems(path.name)
    judgments: dict[int, Judgment] = {}
    lines_by_id: dict[str, int] = {}
    empty = True
    for line, raw in _lines(data):
        empty = False
        try:
            judgment = Judgment.model_validate_json(raw)
        except ValidationError as error:
            for detail in error.errors(include_url=False, include_input=False):
                problems.add(line, _explain(detail))
            continue
        if not judgment.accepted:
            problems.add(line, f"{judgment.id} is a draft; look at it, then accept or remove it")
        first = lines_by_id.setdefault(judgment.id, line)
        if first == line:
            judgments[line] = judgment
        else:
            problems.add(line, f"id {judgment.id!r} was used in line {first}; ids are unique")
    if empty:
        raise EvaluationError(f"{one_line(path.name)} holds no judgments; write one query a line")
    return JudgmentFile(path.name, hashlib.sha256(data).hexdigest(), judgments, problems)


def read_bytes(path: Path) -> bytes:
    """Return what a file of judgments, queries or documents holds.

    Raises:
        EvaluationError: it cannot be read, is no file, or is too large.
    """
    name = one_line(path.name)
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise EvaluationError(f"{name} is not a file; check the path")
        if found.st_size > MAX_BYTES:
            raise EvaluationError(f"{name} is larger than {MAX_BYTES >> 20} MB; split it")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a usable path"
        raise EvaluationError(f"{name} cannot be read ({reason}); check the path") from None


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(data.removeprefix(_BOM).split(b"\n"), start=1):
        if raw.strip():
            yield number, raw.strip()


def _explain(detail: ErrorDetails) -> str:
    message = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "json_invalid":
        return re.sub(r"at line \d+ column", "at column", message)
    place = ".".join(map(str, detail["loc"]))
    if detail["type"] == "extra_forbidden":
        known, within = ", ".join(Judgment.model_fields), ", ".join(GoldQuote.model_fields)
        return f"{place}: unknown field; known are {known}, and {within} within gold"
    return f"{place}: {message}" if place else message
