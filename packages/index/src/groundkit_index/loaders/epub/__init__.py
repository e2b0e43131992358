"""Takes the text out of e-books (EPUB 2 and 3)."""

from __future__ import annotations

import re

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, TextBuilder
from groundkit_index.loaders import html
from groundkit_index.loaders.containers import Container
from groundkit_index.loaders.epub.publication import Chapter, Publication
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.refusing import refusing
from groundkit_index.loaders.xmltree import VERSION

_HEADING = re.compile(rb"<(?:\w+:)?h[1-6][\s>]", re.IGNORECASE)


class EpubLoader:
    """Reads the chapters in reading order; covers and tables of contents are left out."""

    @property
    def version(self) -> str:
        """The loader's version and those of the parsers."""
        return f"1, {VERSION}, html {html.LOADER.version}"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return the text and structure of a book; see `Loader.load`."""
        with refusing():
            container = Container(data, limits)
            book = Publication(container)
            chapters = book.chapters()
            if len(chapters) > limits.pages:
                raise DocumentRefusedError("over_limit", f"more than {limits.pages:,} chapters")
            builder, hidden = TextBuilder(), 0
            for chapter in chapters:
                hidden += _write(builder, chapter, container.read(chapter.member), book)
                if builder.length > limits.characters:
                    limit = f"more than {limits.characters:,} characters"
                    raise DocumentRefusedError("over_limit", limit)
            return builder.result(book.title, hidden=hidden, notes=book.report())


def _write(builder: TextBuilder, chapter: Chapter, markup: bytes, book: Publication) -> int:
    """Write a chapter, and return how many code points of it are hidden."""
    label = chapter.title
    builder.place(label=label, fragment=chapter.href)
    if label and _HEADING.search(markup) is None:
        builder.heading(label, chapter.level)

    def on_heading(fragment: str, text: str) -> None:
        nonlocal label
        label = book.entry(chapter, fragment) or label or text
        target = f"{chapter.href}#{fragment}" if fragment else chapter.href
        builder.place(label=label, fragment=target, breaks=False)

    _, hidden = html.add_html(builder, markup, main_only=False, on_heading=on_heading)
    return hidden


LOADER = EpubLoader()
