"""The result of a calibration, as it is written to JSON."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from groundkit_core.contracts import Contract, Mode

SCHEMA: Literal["groundkit-eval-calibration/1"] = "groundkit-eval-calibration/1"


class Halves(Contract):
    """How many queries the threshold was chosen on, and how many were held out."""

    calibration: int
    held_out: int


class Share(Contract):
    """A share of held-out queries.

    Attributes:
        count: queries that were answered.
        of: held-out queries.
        share: `count` over `of`.
        low: where its 95 % interval begins (Clopper-Pearson).
        high: where it ends.
    """

    count: int
    of: int
    share: float
    low: float
    high: float


class CalibrationResult(Contract):
    """A threshold and what it does; equal inputs give equal bytes.

    Attributes:
        threshold: probability from which a query is answered; below it confidence is low.
        max_false_answer_rate: the share of unanswerable queries that may be answered.
        bound: the chance of a false answer that is guaranteed, at most that rate.
        answered: share of the held-out answerable queries that are answered.
        false_answers: share of the held-out unanswerable queries that are answered.
        auroc: of the gate's probability, over all queries.
        judgments: digest of the judgments file.
        written: whether the collection has the threshold now.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    schema_name: Literal["groundkit-eval-calibration/1"] = Field(default=SCHEMA, alias="schema")
    collection: str
    mode: Mode
    threshold: float
    max_false_answer_rate: float
    bound: float
    answerable: Halves
    unanswerable: Halves
    answered: Share
    false_answers: Share
    auroc: float
    judgments: str
    written: bool

    def to_json(self) -> str:
        """Return the result as JSON, with a newline at the end."""
        return self.model_dump_json(by_alias=True, indent=1) + "\n"
