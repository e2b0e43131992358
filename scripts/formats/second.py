"""Other extractors over the same files: `pdftotext` and `w3m`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.stats import percentile, summarize
from scripts.formats.fidelity import order, recall, words
from scripts.formats.staging import Staged

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import TextBuilder
from groundkit_index.loaders.html import add_html

COMMANDS: dict[str, Callable[[Path], list[str]]] = {
    "pdf": lambda path: ["pdftotext", "-q", "-enc", "UTF-8", str(path), "-"],
    "html": lambda path: ["w3m", "-dump", "-cols", "2000", "-O", "UTF-8", "-T", "text/html",
                          str(path)],
}  # fmt: skip
_SECONDS = 60
_TOGETHER = 2
WORST = 10


@dataclass(frozen=True, slots=True)
class Score:
    """How one file compares.

    Attributes:
        path: below the corpus.
        recall: share of the other's words that we have.
        order: share of the common words that stand in the same order.
        words: how many words the other found.
    """

    path: str
    recall: float
    order: float
    words: int


@dataclass(frozen=True, slots=True)
class Fidelity:
    """How the files of one format compare with a second extractor.

    Attributes:
        name: the format, or more exactly what is compared.
        beside: the second extractor's name.
        scores: by file; empty where the extractor is not installed.
        failed: files that it did not read.
    """

    name: str
    beside: str
    scores: tuple[Score, ...] = ()
    failed: int = 0

    def summary(self, measure: Callable[[Score], float]) -> tuple[float, float]:
        """Return the median and the 5th percentile."""
        values = [measure(score) for score in self.scores]
        return summarize(values).median, percentile(values, 5)

    def worst(self) -> list[Score]:
        """Return the files with the lowest recall."""
        return sorted(self.scores, key=lambda score: (score.recall, score.path))[:WORST]


def compare(
    name: str,
    staged: Sequence[Staged],
    folder: Path,
    texts: Mapping[str, str],
    *,
    title: str = "",
) -> Fidelity:
    """Compare the texts of one format with what a second extractor makes of the files.

    Args:
        name: a key of `COMMANDS`.
        staged: its files.
        folder: what they are in.
        texts: what we extracted, by source; files without are not compared.
        title: what the comparison is called [the name].
    """
    title = title or name
    command = COMMANDS[name](Path())[0]
    if shutil.which(command) is None:
        return Fidelity(title, command)
    ours = [file for file in staged if file.source in texts]
    scores, failed = [], 0
    with ThreadPoolExecutor(_TOGETHER) as pool:
        found = pool.map(lambda file: _run(COMMANDS[name](folder / file.source)), ours)
        for file, theirs in zip(ours, found, strict=True):
            if theirs is None:
                failed += 1
                continue
            text = texts[file.source]
            score = Score(file.path, recall(text, theirs), order(text, theirs), len(words(theirs)))
            scores.append(score)
    return Fidelity(title, command, tuple(scores), failed)


def whole_pages(staged: Sequence[Staged], folder: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of web pages with what is left out as navigation and the like."""
    found = {}
    for file in staged:
        if file.source in texts:
            builder = TextBuilder()
            with suppress(DocumentRefusedError):
                add_html(builder, (folder / file.source).read_bytes(), main_only=False)
                found[file.source] = builder.result().text
    return found


def _run(command: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
