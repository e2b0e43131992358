"""Takes the text out of PDF documents."""

from __future__ import annotations

import dataclasses

import pypdfium2

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, Place
from groundkit_index.loaders.pdf.blocks import blocks_of
from groundkit_index.loaders.pdf.document import handle, opened, page_text
from groundkit_index.loaders.pdf.furniture import without_furniture
from groundkit_index.loaders.pdf.headings import Headings
from groundkit_index.loaders.pdf.hyphens import Joiner
from groundkit_index.loaders.pdf.model import Page
from groundkit_index.loaders.pdf.outline import Bookmark, outline_of
from groundkit_index.loaders.pdf.parts import Parts
from groundkit_index.loaders.pdf.places import LineMap, Whereabouts
from groundkit_index.loaders.pdf.reading import read_page
from groundkit_index.loaders.pdf.style import body_size, style_of
from groundkit_index.loaders.pdf.titles import title_of
from groundkit_index.loaders.pdf.writing import Writer
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.refusing import refusing

_OWN_VERSION = 1


class PdfLoader:
    """Loads PDF documents through PDFium; see `Loader`."""

    @property
    def version(self) -> str:
        """See `Loader`."""
        return f"{_OWN_VERSION}, pdfium {pypdfium2.PDFIUM_INFO.build}"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """See `Loader`; `where` of the result knows the boxes of every line."""
        with refusing():
            read = _read(data, limits)
            return _extraction(data, read)


@dataclasses.dataclass(slots=True)
class _Read:
    """What was read of a document.

    Attributes:
        labels: of pages from 0, where they differ from the page's number.
        unread: pages that could not be read.
    """

    pages: list[Page]
    outline: list[Bookmark]
    title: str
    labels: dict[int, str]
    unread: int


def _read(data: bytes, limits: Limits) -> _Read:
    with opened(data) as document:
        count = len(document)
        if count > limits.pages:
            raise DocumentRefusedError("over_limit", f"more than {limits.pages:,} pages")
        pages, left = [], limits.characters
        for number in range(count):
            with page_text(handle(document), number) as (page, text):
                if page:
                    pages.append(read_page(page, text, number))
            if page:
                left -= sum(line.count for line in pages[-1].lines)
            if left < 0:
                raise DocumentRefusedError(
                    "over_limit", f"more than {limits.characters:,} characters"
                )
        if not pages:
            raise DocumentRefusedError("broken", "none of its pages can be read")
        title = document.get_metadata_value("Title")
        labels = _labels(document, pages)
        return _Read(pages, outline_of(document), title, labels, count - len(pages))


def _labels(document: pypdfium2.PdfDocument, pages: list[Page]) -> dict[int, str]:
    found = {page.number: document.get_page_label(page.number) for page in pages if page.lines}
    return {number: label for number, label in found.items() if label and label != str(number + 1)}


def _extraction(data: bytes, read: _Read) -> Extraction:
    pages = read.pages
    body = body_size(pages)
    title = title_of(read.title, pages, body)
    furniture = without_furniture(pages, body)
    style = style_of(pages, body)
    headings = Headings(pages, style, read.outline)
    writer = Writer(Joiner([line.text for page in pages for line in page.lines]))
    for block in blocks_of(pages, style, headings):
        writer.write(block)
    if not writer.builder.length:
        scanned = any(page.images for page in pages)
        raise DocumentRefusedError(
            "no_text", "its pages are images" if scanned else "there is no text in it"
        )
    lines = LineMap(writer.lines)
    places = _places(lines, read.labels)
    found = writer.builder.result(
        title,
        where=Whereabouts(lines, places, Parts(data)),
        hidden=sum(page.hidden for page in pages),
        notes=_notes(pages, furniture, read.unread),
    )
    return dataclasses.replace(found, places=places)


def _places(lines: LineMap, labels: dict[int, str]) -> tuple[Place, ...]:
    """Return where pages start; the first one from the start of the text on."""
    found = [
        Place(start, page + 1, labels.get(page, ""), f"page={page + 1}")
        for start, page in lines.page_starts()
    ]
    return (found[0]._replace(start=0), *found[1:]) if found else ()


def _notes(pages: list[Page], furniture: int, unread: int) -> tuple[str, ...]:
    scanned = sum(page.images for page in pages)
    notes = []
    if scanned:
        notes.append(f"{_pages(scanned)} {'has' if scanned == 1 else 'have'} no text (scanned)")
    if unread:
        notes.append(f"{_pages(unread)} cannot be read")
    if furniture:
        notes.append(f"{furniture:,} repeated header and footer lines left out")
    return tuple(notes)


def _pages(count: int) -> str:
    return f"{count:,} {'page' if count == 1 else 'pages'}"
