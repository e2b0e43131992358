"""Chooses the threshold of a collection's confidence gate on judged queries."""

from groundkit_eval.calibration.calibrating import calibrate
from groundkit_eval.calibration.results import CalibrationResult

__all__ = ["CalibrationResult", "calibrate"]
