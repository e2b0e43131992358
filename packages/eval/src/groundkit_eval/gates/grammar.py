"""Reads a gate, such as `hybrid:ndcg@10[paraphrase]>=-0.02` or `p95_ms<=1.2x`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from groundkit_core.errors import RequestError

SIGNIFICANT = "significant"
_BOUND = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(x?)")
_ROUNDING = 1e-9
_EXAMPLE = "write one such as ndcg@10>=-0.01, ndcg@10[paraphrase]>=-0.02 or p95_ms<=1.2x"


@dataclass(frozen=True, slots=True)
class Gate:
    """A bound on how much a measure may change.

    Attributes:
        text: as it was written.
        measure: what is held to the bound; `significant` allows no significant loss at all.
        stage: the stage it holds for; empty for every stage that is compared.
        category: the category it holds for; empty for all queries.
        operator: how the value must stand to the bound.
        bound: of the difference after - before, or of the ratio after / before.
        ratio: whether it is a ratio.
    """

    text: str
    measure: str
    stage: str = ""
    category: str = ""
    operator: Literal[">=", "<="] = ">="
    bound: float = 0.0
    ratio: bool = False

    def keeps(self, value: float) -> bool:
        """Tell whether a difference or a ratio keeps the bound."""
        beyond = value - self.bound if self.operator == ">=" else self.bound - value
        return beyond >= -_ROUNDING


def parse_gate(text: str) -> Gate:
    """Read a gate: `[STAGE:]MEASURE[[CATEGORY]]>=NUMBER` or `<=`, with `x` for a ratio.

    Raises:
        RequestError: it is written in another way.
    """
    written = text.strip()
    if written == SIGNIFICANT:
        return Gate(written, SIGNIFICANT)
    place = max(written.rfind(">="), written.rfind("<="))
    if place < 0:
        raise _wrong(text, "has neither >= nor <=")
    bound = _BOUND.fullmatch(written[place + 2 :].strip())
    if bound is None:
        raise _wrong(text, "has no number such as -0.01 or 1.2x for its bound")
    if bound[2] and float(bound[1]) <= 0:
        raise _wrong(text, "has a ratio that is not above 0")
    stage, measure, category = _subject(text, written[:place].strip())
    operator: Literal[">=", "<="] = ">=" if written[place] == ">" else "<="
    return Gate(written, measure, stage, category, operator, float(bound[1]), bool(bound[2]))


def _subject(text: str, subject: str) -> tuple[str, str, str]:
    """Return stage, measure and category."""
    name, opened, rest = subject.partition("[")
    if opened and not rest.endswith("]"):
        raise _wrong(text, "does not close the bracket after its measure")
    category = rest[:-1].strip()
    if opened and not category:
        raise _wrong(text, "names no category between its brackets")
    stage, colon, measure = name.rpartition(":")
    stage, measure = stage.strip(), measure.strip()
    if colon and not stage:
        raise _wrong(text, "names no stage before the colon")
    if not measure or re.search(r"[\s<>]", measure):
        raise _wrong(text, "names no measure")
    return stage, measure, category


def _wrong(text: str, problem: str) -> RequestError:
    return RequestError(f"gate {text!r} {problem}; {_EXAMPLE}, or {SIGNIFICANT}")
