from __future__ import annotations

import importlib
import subprocess
import sys

import groundkit_eval

HEAVY = ("ir_measures", "numpy", "rank_bm25", "rich", "tantivy", "sqlite_utils", "lancedb")


def test_the_public_names_are_these() -> None:
    assert groundkit_eval.__all__ == [
        "CalibrationError",
        "CalibrationResult",
        "Comparison",
        "EvaluationError",
        "EvaluationResult",
        "GateError",
        "JudgmentsError",
        "LeakError",
        "ResultError",
        "__version__",
        "calibrate",
        "compare",
        "evaluate",
        "load_result",
        "to_html",
        "to_markdown",
    ]
    assert groundkit_eval.__all__ == sorted(groundkit_eval.__all__)
    for name in groundkit_eval.__all__:
        assert hasattr(groundkit_eval, name)


def test_the_stages_are_these_in_the_order_of_the_report() -> None:
    stages = importlib.import_module("groundkit_eval.stages")
    assert list(stages.STAGES) == [
        "baseline",
        "lexical",
        "dense",
        "hybrid",
        "lexical+rerank",
        "hybrid+rerank",
    ]


def test_heavy_modules_are_not_imported_with_the_package_or_the_command() -> None:
    code = (
        "import sys, groundkit_eval, groundkit_eval.cli;"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"
