"""Tells the formats of judgments apart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from groundkit_eval.judgments.beir import BeirFolder
from groundkit_eval.judgments.jsonl import read_bytes
from groundkit_eval.judgments.model import JudgedSet
from groundkit_eval.judgments.qrels import read_qrels

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class JudgmentsChoice:
    """Where judgments are, and what is asked of them.

    Attributes:
        path: JSON Lines with quotes, a folder of BEIR, or qrels of TREC.
        queries: the texts of the queries of qrels.
        split: which qrels of a folder of BEIR.
        unanswerable: ask the queries that a folder of BEIR marks as unanswerable, too.
    """

    path: Path
    queries: Path | None = None
    split: str = ""
    unanswerable: bool = False


def is_beir(path: Path) -> bool:
    """Tell whether a path is a folder in the layout of BEIR."""
    return (path / "queries.jsonl").is_file() and (path / "qrels").is_dir()


def read_by_document(choice: JudgmentsChoice) -> JudgedSet | None:
    """Read judgments whose gold is whole documents; None for JSON Lines, which quote passages.

    Raises:
        JudgmentsError: a line cannot be read; all of them are listed.
        EvaluationError: something is missing.
    """
    if is_beir(choice.path):
        folder = BeirFolder(choice.path, choice.split)
        return folder.judged(unanswerable=choice.unanswerable)
    if choice.path.suffix != ".jsonl":
        data = read_bytes(choice.path)
        if not data.removeprefix(_BOM).lstrip().startswith(b"{"):
            return read_qrels(choice.path, choice.queries)
    return None
