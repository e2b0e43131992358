"""Gates: bounds that a comparison must keep."""

from groundkit_eval.gates.checking import GateResult, check_gates, refuse_failed
from groundkit_eval.gates.grammar import SIGNIFICANT, Gate, parse_gate
from groundkit_eval.gates.naming import check_names

__all__ = [
    "SIGNIFICANT",
    "Gate",
    "GateResult",
    "check_gates",
    "check_names",
    "parse_gate",
    "refuse_failed",
]
