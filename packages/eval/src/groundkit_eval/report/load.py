"""Reads a result back from JSON."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from groundkit_eval.errors import ResultError
from groundkit_eval.files import read_text
from groundkit_eval.judgments.problems import one_line
from groundkit_eval.results import SCHEMA, EvaluationResult


def load_result(path: Path) -> EvaluationResult:
    """Read a result file.

    Raises:
        ResultError: it cannot be read, or is not a result of this schema.
    """
    try:
        return EvaluationResult.model_validate_json(read_text(path))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise ResultError(
            f"{one_line(path.name)} is not a result of schema {SCHEMA} or older "
            f"({one_line(place)}: {one_line(first['msg'])}); "
            "write it with `groundkit-eval run --json`"
        ) from None
