"""Judged questions, measures and baselines for retrieval over your own documents."""

from groundkit_eval.calibration import CalibrationResult, calibrate
from groundkit_eval.comparison import Comparison, compare
from groundkit_eval.errors import (
    CalibrationError,
    EvaluationError,
    GateError,
    JudgmentsError,
    LeakError,
    ResultError,
)
from groundkit_eval.evaluation import evaluate
from groundkit_eval.report import load_result, to_html, to_markdown
from groundkit_eval.results import EvaluationResult

__version__ = "0.1.0"

__all__ = [
    "CalibrationError", "CalibrationResult", "Comparison", "EvaluationError", "EvaluationResult",
    "GateError", "JudgmentsError", "LeakError", "ResultError", "__version__", "calibrate",
    "compare", "evaluate", "load_result", "to_html", "to_markdown",
]  # fmt: skip
