"""The tokens of every chunk in a file, so that all engines are fed the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.errors import BenchError


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk as the lexical index sees it; its key is the number of its line, from 1.

    Attributes:
        project: the project of its document.
        body: tokens of the content between spaces.
        headings: tokens of title and headings.
        path: tokens of the path.
    """

    project: str
    body: str
    headings: str
    path: str

    def line(self) -> str:
        """The row as a line; tokens hold no whitespace."""
        return f"{self.project}\t{self.body}\t{self.headings}\t{self.path}\n"


def read_rows(path: Path) -> Iterator[Row]:
    """Read the rows in the order of their keys.

    Raises:
        BenchError: the file is not one of rows.
    """
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 4:
                raise BenchError(f"{path.name} is no file of tokens")
            yield Row(*fields)
