"""The verdicts of a person on a pool, kept after every one of them."""

from __future__ import annotations

import json
from pathlib import Path

from groundkit_eval.files import write_text
from groundkit_eval.judgments.jsonl import read_bytes, read_judgments
from groundkit_eval.judgments.model import GoldQuote, Judgment, Unit
from groundkit_eval.judgments.pooling import Pooled
from groundkit_eval.judgments.qrels import read_grades

Graded = tuple[Pooled, int]


class Verdicts:
    """Verdicts in a file: judgments of passages as JSON Lines, of documents as qrels of TREC.

    A file that exists is gone on with; what it holds beside the pool stays as it is.

    Args:
        path: the file.
        unit: what is judged.

    Raises:
        JudgmentsError: the file does not fit its format.
        EvaluationError: it cannot be read.
    """

    def __init__(self, path: Path, unit: Unit) -> None:
        self._path = path
        self._file = _Passages(path) if unit == "passage" else _Documents(path)

    def grade(self, pooled: Pooled) -> int | None:
        """Return the grade that was given, or None."""
        return self._file.grade(pooled)

    def give(self, pooled: Pooled, grade: int | None) -> None:
        """Give a grade, or take it back with None, and write the file."""
        self._file.give(pooled, grade)
        write_text(self._path, self._file.text())


class _Documents:
    def __init__(self, path: Path) -> None:
        self._grades = read_grades(path.name, read_bytes(path)) if path.exists() else {}

    def grade(self, pooled: Pooled) -> int | None:
        return self._grades.get(pooled.query_id, {}).get(pooled.place.source)

    def give(self, pooled: Pooled, grade: int | None) -> None:
        grades = self._grades.setdefault(pooled.query_id, {})
        grades.pop(pooled.place.source, None)
        if grade is not None:
            grades[pooled.place.source] = grade

    def text(self) -> str:
        return "".join(
            f"{query} 0 {document} {grade}\n"
            for query, grades in self._grades.items()
            for document, grade in grades.items()
        )


class _Passages:
    def __init__(self, path: Path) -> None:
        self._judgments: dict[str, Judgment] = {}
        if path.exists() and path.stat().st_size:
            file = read_judgments(path)
            file.problems.raise_if_any()
            self._judgments = {judgment.id: judgment for judgment in file.judgments.values()}

    def grade(self, pooled: Pooled) -> int | None:
        judgment = self._judgments.get(pooled.query_id)
        for gold in judgment.gold if judgment else ():
            if any(_is(pooled, quote.source, quote.quote) for quote in gold.quotes):
                return gold.grade
        return None

    def give(self, pooled: Pooled, grade: int | None) -> None:
        before = self._judgments.get(pooled.query_id) or Judgment(
            id=pooled.query_id, query=pooled.query, category=pooled.category, gold=()
        )
        gold = tuple(
            gold
            for gold in before.gold
            if gold.any_of or not _is(pooled, gold.source or "", gold.quote or "")
        )
        if grade is not None:
            quote = GoldQuote(source=pooled.place.source, quote=pooled.place.text, grade=grade)
            gold = (*gold, quote)
        self._judgments[pooled.query_id] = before.model_copy(update={"gold": gold})
        if not gold and grade is None:
            del self._judgments[pooled.query_id]

    def text(self) -> str:
        rows = (
            judgment.model_dump(mode="json", exclude_defaults=True) | {"gold": _gold(judgment)}
            for judgment in self._judgments.values()
        )
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _is(pooled: Pooled, source: str, quote: str) -> bool:
    return pooled.place.source == source and pooled.place.text == quote


def _gold(judgment: Judgment) -> list[object]:
    return [gold.model_dump(mode="json", exclude_defaults=True) for gold in judgment.gold]
