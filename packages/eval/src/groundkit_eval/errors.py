"""Every error that groundkit-eval raises, beside those of groundkit_core.errors.

GroundkitError
└── EvaluationError        evaluation_error
    ├── CalibrationError   calibration_error
    ├── GateError          gate_failed
    ├── JudgmentsError     invalid_judgments
    ├── LeakError          leaked_judgments
    └── ResultError        invalid_result

A message is one line that says what is wrong and what to do next.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundkit_core.errors import GroundkitError


class EvaluationError(GroundkitError):
    """The evaluation cannot be run."""

    kind = "evaluation_error"


class CalibrationError(EvaluationError):
    """The judgments do not suffice for a threshold with the rate that was asked for."""

    kind = "calibration_error"


class GateError(EvaluationError):
    """A result loses more against the baseline than its gates allow."""

    kind = "gate_failed"


class JudgmentsError(EvaluationError):
    """The judgments do not fit the format or the corpus.

    Args:
        problems: one line each, as `FILE:LINE: what is wrong`.
    """

    kind = "invalid_judgments"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class LeakError(EvaluationError):
    """The indexed corpus holds the questions or their answers."""

    kind = "leaked_judgments"


class ResultError(EvaluationError):
    """A result file, or the page that shows it, cannot be read or written."""

    kind = "invalid_result"
