"""Judged sets in the layout of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv`.

Thakur et al., "BEIR: A Heterogenous Benchmark for Zero-shot Evaluation of Information Retrieval
Models" (2021). Gold is a whole document, with its grade.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundkit_eval.errors import EvaluationError, JudgmentsError
from groundkit_eval.judgments.jsonl import read_bytes
from groundkit_eval.judgments.model import Gold, JudgedQuery, JudgedSet
from groundkit_eval.judgments.problems import Problems, one_line
from groundkit_eval.judgments.qrels import Grades, read_grades

DEFAULT_SPLIT = "test"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_NO_CATEGORY = "all"
_UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class BeirDocument:
    """A document of a judged set."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class BeirFolder:
    """A folder in the layout of BEIR.

    Args:
        path: the folder.
        split: the file below `qrels`, without its suffix [`test`, or the only one].
    """

    path: Path
    split: str = ""

    def judged(self, *, unanswerable: bool = False) -> JudgedSet:
        """Read the queries that the split judges.

        Args:
            unanswerable: add the queries whose metadata says `"answerable": false`.

        Raises:
            JudgmentsError: a line cannot be read; all of them are listed.
            EvaluationError: a file is missing or holds nothing.
        """
        qrels, queries = self._qrels(), self.path / "queries.jsonl"
        data, judged = read_bytes(queries), read_bytes(qrels)
        grades = read_grades(qrels.name, judged)
        asked = tuple(_queries(queries.name, data, grades, unanswerable=unanswerable))
        if not asked:
            raise EvaluationError(f"{qrels.name} judges no query of {queries.name}")
        digest = hashlib.sha256(data + b"\0" + judged + bytes([unanswerable]))
        return JudgedSet(self.path.resolve().name, digest.hexdigest(), "document", asked)

    def documents(self) -> Iterator[BeirDocument]:
        """Yield the documents in the order of the file.

        Raises:
            JudgmentsError: a line cannot be read.
            EvaluationError: the file is missing.
        """
        path = self.path / "corpus.jsonl"
        for line, row in _rows(path.name, read_bytes(path)):
            title, text = row.get("title") or "", row.get("text")
            if not isinstance(title, str) or not isinstance(text, str):
                raise JudgmentsError([f"{path.name}:{line}: text is missing"])
            yield BeirDocument(row["_id"], title, text)

    def _qrels(self) -> Path:
        folder = self.path / "qrels"
        found = sorted(path.stem for path in folder.glob("*.tsv"))
        wanted = self.split or (found[0] if len(found) == 1 else DEFAULT_SPLIT)
        if wanted not in found:
            known = ", ".join(map(one_line, found)) or "none"
            raise EvaluationError(
                f"{one_line(self.path.name)} has no qrels/{one_line(wanted)}.tsv; "
                f"it has {known}, and --split names one"
            )
        return folder / f"{wanted}.tsv"


def write_documents(folder: BeirFolder, into: Path) -> dict[str, str]:
    """Write a Markdown file for each document, its title as heading.

    Returns:
        file name -> document id, as `file_names` has it.
    """
    into.mkdir(parents=True, exist_ok=True)
    documents = tuple(folder.documents())
    names = file_names(documents)
    for name, document in zip(names, documents, strict=True):
        title = " ".join(document.title.split())
        heading = f"# {title}\n\n" if title else ""
        (into / name).write_text(f"{heading}{document.text}\n", encoding="utf-8", newline="\n")
    return names


def file_names(documents: Iterable[BeirDocument]) -> dict[str, str]:
    """Return file name -> document id, in order; a file is named after a document if it can be."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for number, document in enumerate(documents):
        plain = _PLAIN.fullmatch(document.id) and document.id.lower() not in taken
        taken.add(document.id.lower())
        names[f"{document.id}.md" if plain else f"{number:06d}.document.md"] = document.id
    return names


def _queries(
    name: str, data: bytes, grades: Grades, *, unanswerable: bool
) -> Iterator[JudgedQuery]:
    for line, row in _rows(name, data):
        found = grades.get(row["_id"])
        metadata = row.get("metadata")
        told = metadata if isinstance(metadata, dict) else {}
        if found is None and not (unanswerable and told.get("answerable") is False):
            continue
        gold = tuple(Gold(document, grade=grade) for document, grade in (found or {}).items())
        category = told.get("category")
        if not isinstance(category, str):
            category = _NO_CATEGORY if found is not None else _UNANSWERABLE
        yield JudgedQuery(row["_id"], str(row.get("text", "")), category, "all", gold, line)


def _rows(name: str, data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    problems = Problems(name)
    seen: set[str] = set()
    rows = []
    for line, raw in enumerate(data.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            row = json.loads(raw)
        except ValueError:
            problems.add(line, "is not JSON")
            continue
        if not isinstance(row, dict) or not isinstance(row.get("_id"), str):
            problems.add(line, "_id is missing")
        elif row["_id"] in seen:
            problems.add(line, f"_id {row['_id']!r} was used before; ids are unique")
        else:
            seen.add(row["_id"])
            rows.append((line, row))
    problems.raise_if_any()
    yield from rows
