"""Judged questions, measures and baselines for retrieval over your own documents."""

from groundkit_eval.calibration import CalibrationResult, calibrate
from groundkit_eval.errors import (
    CalibrationError,
    EvaluationError,
    JudgmentsError,
    LeakError,
    ResultError,
)
from groundkit_eval.evaluation import evaluate
from groundkit_eval.report import load_result, to_markdown
from groundkit_eval.results import EvaluationResult

__version__ = "0.1.0"

__all__ = [
    "CalibrationError",
    "CalibrationResult",
    "EvaluationError",
    "EvaluationResult",
    "JudgmentsError",
    "LeakError",
    "ResultError",
    "__version__",
    "calibrate",
    "evaluate",
    "load_result",
    "to_markdown",
]
