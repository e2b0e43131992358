"""Relevance judgments by document: qrels of TREC, and the table of BEIR."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.jsonl import read_bytes
from groundkit_eval.judgments.model import Gold, JudgedQuery, JudgedSet
from groundkit_eval.judgments.problems import Problems, one_line

Grades = dict[str, dict[str, int]]
"""Query id -> document id -> grade."""

_TREC_COLUMNS = 4
_BEIR_COLUMNS = 3
_MAX_GRADE = 100
_HEADER = "query-id"


def read_grades(name: str, data: bytes) -> Grades:
    """Read `query 0 document grade` lines of TREC, or `query document grade` lines of BEIR.

    Grades below 0 are those of spam and count as 0.

    Raises:
        JudgmentsError: a line cannot be read; all of them are listed.
    """
    problems = Problems(name)
    grades: Grades = {}
    for line, columns in _columns(data):
        if line == 1 and columns[0] == _HEADER:
            continue
        if len(columns) not in (_BEIR_COLUMNS, _TREC_COLUMNS):
            problems.add(line, "has neither the 4 columns of TREC qrels nor the 3 of BEIR")
            continue
        query, document, told = columns[0], columns[-2], columns[-1]
        try:
            grade = max(int(told), 0)
        except ValueError:
            problems.add(line, f"grade {told!r} is not a whole number")
            continue
        if grade > _MAX_GRADE:
            problems.add(line, f"grade {told} is larger than {_MAX_GRADE}")
        elif grades.setdefault(query, {}).setdefault(document, grade) != grade:
            problems.add(line, f"judges {document} for {query} another way than before")
    problems.raise_if_any()
    return grades


def _columns(data: bytes) -> Iterator[tuple[int, list[str]]]:
    text = data.decode("utf-8-sig", errors="replace")
    for line, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            yield line, row.rstrip("\r").split("\t") if "\t" in row else row.split()


def read_qrels(path: Path, queries: Path | None = None) -> JudgedSet:
    """Read TREC qrels, and the texts of their queries from another file.

    Args:
        path: the qrels.
        queries: `id<tab>text` lines, or JSON Lines with `_id` and `text`; without it a query's
            text is its id, which is enough for runs that were kept.

    Raises:
        JudgmentsError: a line cannot be read; all of them are listed.
        EvaluationError: a file is missing, or holds nothing.
    """
    data = read_bytes(path)
    grades = read_grades(path.name, data)
    if not grades:
        raise EvaluationError(f"{one_line(path.name)} holds no judgments")
    told = read_bytes(queries) if queries else b""
    texts = read_queries(queries.name, told) if queries else {}
    lacking = [query for query in grades if queries and query not in texts]
    if lacking and queries:
        raise EvaluationError(
            f"{one_line(queries.name)} lacks {len(lacking)} of the judged queries, such as "
            f"{one_line(lacking[0])}"
        )
    judged = tuple(
        JudgedQuery(
            id=query,
            text=texts.get(query, query),
            category="all",
            source_class="all",
            gold=tuple(Gold(document, grade=grade) for document, grade in found.items()),
            line=number,
        )
        for number, (query, found) in enumerate(grades.items(), start=1)
    )
    return JudgedSet(path.name, hashlib.sha256(data + b"\0" + told).hexdigest(), "document", judged)


def read_queries(name: str, data: bytes) -> dict[str, str]:
    """Return the text of each query, from `id<tab>text` lines or JSON Lines of BEIR.

    Raises:
        JudgmentsError: a line cannot be read; all of them are listed.
    """
    problems = Problems(name)
    texts: dict[str, str] = {}
    for line, row in enumerate(data.decode("utf-8-sig", errors="replace").split("\n"), start=1):
        if not row.strip():
            continue
        query, text = _json_query(row) if row.lstrip().startswith("{") else _tab_query(row)
        if not query or not text:
            problems.add(line, "is no query: write `id<tab>text`, or JSON with _id and text")
        texts[query] = text
    problems.raise_if_any()
    return texts


def _json_query(row: str) -> tuple[str, str]:
    try:
        found = json.loads(row)
        return str(found["_id"]), str(found["text"])
    except (ValueError, KeyError, TypeError):
        return "", ""


def _tab_query(row: str) -> tuple[str, str]:
    query, _, text = row.rstrip("\r").partition("\t")
    return query.strip(), text.strip()
