"""A result as a short Markdown comment for a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundkit_eval.comparison.results import Comparison, QueryChange, ShownPassage
from groundkit_eval.gates import GateResult
from groundkit_eval.report.changes import change_table, gate_table, method_lines, verdict_line
from groundkit_eval.report.markdown import markdown_table
from groundkit_eval.report.tables import category_table, headline, setup_line, stage_table
from groundkit_eval.results import EvaluationResult

MAX_CHARS = 60_000
"""GitHub takes comments of up to 65,536 characters."""

LOSSES = 5
_CUT = 140


def to_comment(
    result: EvaluationResult,
    comparison: Comparison | None = None,
    gates: Sequence[GateResult] = (),
) -> str:
    """Return the comment, with a newline at the end.

    What a reader opens is left out where the comment would become longer than `MAX_CHARS`.

    Args:
        result: what was found.
        comparison: its differences to a baseline.
        gates: what became of the gates.
    """
    blocks = list(_alone(result) if comparison is None else _compared(result, comparison, gates))
    text = ""
    for block in blocks:
        if len(text) + len(block) < MAX_CHARS:
            text += f"{block}\n\n"
    return f"{text.rstrip()}\n"


def _alone(result: EvaluationResult) -> Iterator[str]:
    yield "### Retrieval evaluation"
    yield " ".join(filter(None, (headline(result), setup_line(result))))
    yield markdown_table(stage_table(result))
    yield _details("Categories", markdown_table(category_table(result)))


def _compared(
    result: EvaluationResult, comparison: Comparison, gates: Sequence[GateResult]
) -> Iterator[str]:
    yield f"### Retrieval evaluation: {verdict_line(comparison, gates)}"
    yield " ".join(filter(None, (headline(result), setup_line(result))))
    yield from (f"> {note}" for note in comparison.notes)
    yield markdown_table(change_table(comparison, [comparison.by]))
    if gates:
        yield markdown_table(gate_table(gates))
    losses = _losses(comparison)
    if losses:
        yield _details(f"The largest losses in {comparison.by}", "\n".join(losses))
    yield _details("All measures", markdown_table(change_table(comparison)))
    yield f"<sub>{method_lines(comparison)[0]}</sub>"


def _details(summary: str, body: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def _losses(comparison: Comparison) -> list[str]:
    found = [
        (abs(lost.delta), stage.stage, lost) for stage in comparison.stages for lost in stage.losses
    ]
    found.sort(key=lambda item: (-item[0], item[2].id, item[1]))
    return [line for _, stage, lost in found[:LOSSES] for line in _loss(stage, lost)]


def _loss(stage: str, lost: QueryChange) -> Iterator[str]:
    yield (
        f"- {code(lost.id)} in {code(stage)}, {lost.before:.3f} to {lost.after:.3f}: "
        f"{code(lost.query)}"
    )
    for gold in lost.gold[:1]:
        yield f"  - expected {code(gold.source)} {_text(gold.excerpt)}".rstrip()
    yield f"  - before {_passages(lost.passages_before)}"
    yield f"  - now {_passages(lost.passages_after)}"


def _passages(passages: Sequence[ShownPassage]) -> str:
    first = next(iter(passages), None)
    if first is None:
        return "nothing"
    return f"{code(first.source)} {_text(first.excerpt)}".rstrip()


def _text(excerpt: str) -> str:
    return code(excerpt) if excerpt else ""


def code(text: str) -> str:
    """Return a text as a code span, cut, in which nothing is a mention, a link or a tag."""
    line = " ".join(text.split())
    line = line if len(line) <= _CUT else f"{line[: _CUT - 1]}…"
    longest = max(map(len, re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"
