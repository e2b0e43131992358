"""Shows a calibration as text."""

from __future__ import annotations

from groundkit_eval.calibration.results import CalibrationResult, Halves, Share


def describe(result: CalibrationResult) -> str:
    """Return what was chosen, on what, and what it does, with a newline at the end."""
    rows = (
        ("threshold", f"{result.threshold:.6f}", "confidence is low below it"),
        ("answered", f"{result.answered.share:.3f}", _of(result.answered, "answerable")),
        (
            "false answers",
            f"{result.false_answers.share:.3f}",
            _of(result.false_answers, "unanswerable"),
        ),
        (
            "guaranteed",
            f"{result.bound:.3f}",
            "false answers expected at the most, from queries like these",
        ),
        ("AUROC", f"{result.auroc:.3f}", "of the gate's probability, over all queries"),
    )
    lines = [
        f"{result.mode} search of {result.collection}, for a false-answer rate of at most "
        f"{result.max_false_answer_rate:g}:",
        f"{_sizes(result.unanswerable, 'unanswerable')};",
        f"{_sizes(result.answerable, 'answerable')}.",
        "",
        *(f"{name:<14}{value:>9}  {words}" for name, value, words in rows),
        "",
        "The collection has the threshold now." if result.written else "Nothing was written.",
    ]
    return "\n".join(lines) + "\n"


def _of(share: Share, kind: str) -> str:
    return (
        f"{share.count} of {share.of} held-out {kind} queries, "
        f"95 % interval {share.low:.3f} to {share.high:.3f}"
    )


def _sizes(halves: Halves, kind: str) -> str:
    total = halves.calibration + halves.held_out
    return f"{total} {kind} queries, {halves.calibration} to calibrate, {halves.held_out} held out"
