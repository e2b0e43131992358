"""Where a passage stands, and whether it is really there."""

from __future__ import annotations

from groundkit_core.contracts.base import Contract, SourceClass, Verdict


class PageBox(Contract):
    """A rectangle on a page, in points (1/72 inch) from the top left corner of the page.

    Attributes:
        page: from 1.
    """

    page: int
    left: float
    top: float
    right: float
    bottom: float


class Citation(Contract):
    """The place of a passage in its source.

    Attributes:
        document_id: the document, stable across re-ingests and moves.
        chunk_id: the passage, stable across edits elsewhere in the document.
        root: the name of the root that holds the source.
        source: the path below the root, in POSIX form.
        source_class: what kind of document it is.
        project: the project it was ingested for.
        start_offset: first code point of the passage in the decoded text.
        end_offset: one past the last code point.
        start_line: line of the first character, from 1.
        end_line: line of the last character, from 1.
        heading_path: headings above the passage, outermost first.
        page: page number from 1, where the format has pages.
        quote_sha256: SHA-256 (hex) of the passage in UTF-8.
        prefix: up to 32 code points before the passage.
        suffix: up to 32 code points after the passage.
        verification: what checking the source found.
        link: the place to open: `path:line` in a text, `path#page=3` and the like in a document
            whose text was extracted; a web address is followed by the fragment that a browser
            scrolls to.
        extractor: what took the text out of the source, and its version; None for a text, whose
            offsets and lines are those of the source itself.
        source_sha256: SHA-256 (hex) of the bytes that the text was extracted from.
        commit: the commit that the source was read at, for a git repository.
        place: where in the document, for people: `slide 3`, `Prices!A2:D20`, `cell 4`, `00:01:02`.
        boxes: the rectangles of the quoted lines, where the format has a layout; the service
            gives them with a passage that is fetched, not with search results.
    """

    document_id: str
    chunk_id: str
    root: str
    source: str
    source_class: SourceClass
    project: str
    start_offset: int
    end_offset: int
    start_line: int
    end_line: int
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    quote_sha256: str
    prefix: str = ""
    suffix: str = ""
    verification: Verdict
    link: str
    extractor: str | None = None
    source_sha256: str | None = None
    commit: str | None = None
    place: str | None = None
    boxes: tuple[PageBox, ...] = ()


class Passage(Contract):
    """A chunk with its citation and, on request, the lines around it."""

    chunk_id: str
    content: str
    before: str = ""
    after: str = ""
    citation: Citation
    text_is_untrusted_context: bool = True


class VerifyReport(Contract):
    """The verdict on every citation that was checked.

    Attributes:
        verdicts: how many citations got which verdict.
        citations: the citations that were asked for; with `--all`, those not `verified`.
    """

    collection: str
    generation: int
    checked: int
    verdicts: dict[Verdict, int]
    citations: tuple[Citation, ...] = ()
