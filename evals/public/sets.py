"""Reads the public judged sets from their archive."""

from __future__ import annotations

import csv
import io
import json
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

NAMES = ("scifact", "squad2", "chroma_spans", "cranfield")
_ARCHIVE = Path(__file__).parents[2].parent / "shared" / "data" / "judged.tar.xz"


def archive() -> Path:
    """Return where the archive is: GROUNDKIT_JUDGED, or `shared/data` beside the checkout."""
    return Path(os.environ.get("GROUNDKIT_JUDGED") or _ARCHIVE)


@dataclass(slots=True)
class JudgedSet:
    """A judged set.

    Attributes:
        documents: document id -> (title, text).
        queries: query id -> text.
        qrels: query id -> document id -> grade, of the queries that have an answer.
    """

    name: str
    documents: dict[str, tuple[str, str]] = field(default_factory=dict)
    queries: dict[str, str] = field(default_factory=dict)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def answerable(self) -> list[str]:
        """The ids of the queries that have an answer, in the file's order."""
        return [query for query in self.queries if query in self.qrels]

    def thin(self, share: float) -> None:
        """Keep the documents that answer a query, and a share of the others by their digests."""
        judged = {document for grades in self.qrels.values() for document in grades}
        self.documents = {
            name: document
            for name, document in self.documents.items()
            if name in judged or sha256(name.encode()).digest()[0] < 256 * share
        }

    def write(self, folder: Path) -> dict[str, str]:
        """Write a Markdown file a document; return file name -> document id."""
        folder.mkdir(parents=True, exist_ok=True)
        names = {}
        for number, (document, (title, text)) in enumerate(self.documents.items()):
            name = f"{number:06d}.md"
            heading = f"# {' '.join(title.split())}\n\n" if title.strip() else ""
            (folder / name).write_text(f"{heading}{text}\n", encoding="utf-8")
            names[name] = document
        return names


def is_test(query: str) -> bool:
    """Return whether a query is kept for testing: half of them, by the digest of its id."""
    return sha256(query.encode()).digest()[0] % 2 == 1


def read_sets(names: tuple[str, ...] = NAMES) -> dict[str, JudgedSet]:
    """Read sets by name.

    Raises:
        FileNotFoundError: there is no archive.
    """
    found = {name: JudgedSet(name) for name in names}
    with tarfile.open(archive()) as tar:
        for member in tar:
            parts = Path(member.name).parts
            if member.isfile() and parts[0] == "beir" and parts[1] in found:
                file = tar.extractfile(member)
                if file is not None:
                    _read(found[parts[1]], parts[-1], io.TextIOWrapper(file, "utf-8"))
    return found


def _read(into: JudgedSet, name: str, file: io.TextIOWrapper) -> None:
    if name == "corpus.jsonl":
        into.documents = {row["_id"]: (row.get("title", ""), row["text"]) for row in _rows(file)}
    elif name == "queries.jsonl":
        into.queries = {row["_id"]: row["text"] for row in _rows(file)}
    elif name == "test.tsv":
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0:
                grades = into.qrels.setdefault(row["query-id"], {})
                grades[row["corpus-id"]] = int(row["score"])


def _rows(file: io.TextIOWrapper) -> Iterator[dict[str, str]]:
    return (json.loads(line) for line in file if line.strip())
