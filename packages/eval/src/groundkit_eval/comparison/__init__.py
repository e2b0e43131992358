"""Differences between two results, or between two stages of one."""

from groundkit_eval.comparison.comparing import compare
from groundkit_eval.comparison.deltas import delta
from groundkit_eval.comparison.results import Comparison

__all__ = ["Comparison", "compare", "delta"]
