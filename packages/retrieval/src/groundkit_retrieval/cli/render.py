"""Shows search results and passages to a person."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from groundkit_core.analysis import Analyzer
from groundkit_core.contracts import Citation, SearchHit, SearchResponse
from groundkit_retrieval.cli.text import passage_text, printable

_VERDICT_STYLES = {
    "verified": "green",
    "relocated": "cyan",
    "drifted": "yellow",
    "missing": "red",
    "refused": "red",
}


class Renderer:
    """Prints for a person; colours only on a terminal.

    Args:
        folders: root name -> folder, to show paths that can be opened from here.
        analyzer: finds the words to mark.
        query: the words that were asked for.
    """

    def __init__(
        self, folders: dict[str, Path], analyzer: Analyzer | None = None, query: str = ""
    ) -> None:
        self._console = Console(file=sys.stdout, highlight=False, soft_wrap=True, emoji=False)
        self._folders = folders
        self._analyzer = analyzer
        self._asked = frozenset(analyzer.query_tokens(query)) if analyzer else frozenset()

    def response(self, response: SearchResponse) -> None:
        """Print results, or why there are none."""
        for hit in response.results:
            self._hit(hit)
        if not response.results:
            self._console.print(Text(f"Nothing relevant found ({response.reason}).", "bold"))
        self._coverage(response)

    def _hit(self, hit: SearchHit) -> None:
        line = Text(f"{hit.rank}. ", "bold")
        line.append_text(self._citation(hit.citation))
        line.append(f"  {hit.confidence}  {hit.score:.2f}  {hit.chunk_id}", "dim")
        self._console.print(line)
        self.headings(hit.citation)
        self.passage(hit.content)
        for duplicate in hit.duplicates:
            self._console.print(Text("   also at ").append_text(self._citation(duplicate)))
        self._console.print()

    def _citation(self, citation: Citation) -> Text:
        text = Text(self.place(citation), "bold")
        if citation.place:
            text.append(f"  {printable(citation.place)}")
        return text.append(
            f"  {citation.verification}", _VERDICT_STYLES.get(citation.verification, "")
        )

    def place(self, citation: Citation) -> str:
        """Return what opens at the passage: a path with its line or page, or an address."""
        if not citation.link.startswith(citation.source) or citation.root not in self._folders:
            return printable(citation.link)
        return self.path(citation) + printable(citation.link.removeprefix(citation.source))

    def path(self, citation: Citation) -> str:
        """Return a path that opens from the working directory where it can, else the source."""
        folder = self._folders.get(citation.root)
        if folder is None:
            return printable(citation.source)
        full = str(folder / citation.source)
        below = full.startswith(str(Path.cwd()) + os.sep)
        return printable(os.path.relpath(full) if below else citation.source)

    def citation(self, citation: Citation) -> None:
        """Print one citation on a line."""
        self._console.print(self._citation(citation).append(f"  {citation.chunk_id}", "dim"))

    def headings(self, citation: Citation) -> None:
        """Print the headings above a passage, if any."""
        if citation.heading_path:
            path = " > ".join(printable(heading) for heading in citation.heading_path)
            self._console.print(Text(f"   {path}", "italic"))

    def passage(self, content: str, style: str = "") -> None:
        """Print a passage, indented, with the words that match marked."""
        shown = passage_text(content)
        text = Text(shown, style)
        if self._analyzer:
            for start, end in self._analyzer.matches(shown, self._asked):
                text.stylize("bold reverse" if self._console.is_terminal else "", start, end)
        for line in text.split("\n", allow_blank=True):
            self._console.print(Text("   ").append_text(line))

    def _coverage(self, response: SearchResponse) -> None:
        coverage = response.coverage
        notes = list(coverage.notes)
        withheld = coverage.withheld
        if withheld.unverified:
            notes.append(f"{withheld.unverified} passages withheld: their source has changed")
        if withheld.over_budget:
            notes.append(f"{withheld.over_budget} passages left out: the answer would be too long")
        if not response.results and "config" in coverage.skipped:
            notes.append("config files are searched only with --source-class config")
        for note in notes:
            self._console.print(Text(f"note: {printable(note)}", "dim"))
