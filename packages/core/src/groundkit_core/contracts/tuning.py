"""How a collection is ranked and gated, over the defaults."""

from __future__ import annotations

from pydantic import Field

from groundkit_core.contracts.base import Contract
from groundkit_core.contracts.search import FusionMethod, Mode


class Calibration(Contract):
    """A threshold of the confidence gate, chosen on judged queries.

    Attributes:
        threshold: probability below which confidence is low.
        max_false_answer_rate: the share of unanswerable queries that may pass it.
        unanswerable: how many unanswerable queries it was chosen on.
        judgments: digest of the judgments file.
    """

    threshold: float = Field(ge=0, le=1)
    max_false_answer_rate: float = Field(gt=0, lt=1)
    unanswerable: int = Field(ge=1)
    judgments: str


class Tuning(Contract):
    """What a collection says over the defaults; None says nothing.

    Attributes:
        fusion: how the two rankings become one.
        alpha: weight of the dense branch in `weighted`, 0 to 1.
        calibrations: mode -> the threshold of its confidence gate.
    """

    fusion: FusionMethod | None = None
    alpha: float | None = Field(default=None, ge=0, le=1)
    calibrations: dict[Mode, Calibration] = Field(default_factory=dict)
