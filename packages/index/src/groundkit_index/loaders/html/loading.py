"""Markup to an extraction."""

from __future__ import annotations

from importlib.metadata import version

from selectolax.lexbor import LexborHTMLParser

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, TextBuilder
from groundkit_index.loaders.html.content import choose
from groundkit_index.loaders.html.encoding import decode_markup
from groundkit_index.loaders.html.markup import prepared
from groundkit_index.loaders.html.walking import write
from groundkit_index.loaders.html.writing import OnHeading
from groundkit_index.loaders.protocol import Limits


def add_html(
    builder: TextBuilder,
    markup: str | bytes,
    *,
    base_level: int = 0,
    main_only: bool = True,
    on_heading: OnHeading | None = None,
) -> tuple[str, int]:
    """Write the text of an HTML or XHTML document through a builder.

    Args:
        builder: takes the pieces.
        markup: bytes are decoded by BOM, UTF-8, declaration and detection, in that order.
        base_level: what is added to the level of every heading, such as 1 under a chapter.
        main_only: leave out navigation, site headers and footers, banners and the like.
        on_heading: called as `on_heading(fragment, text)` before each heading or term that can be
            linked to; the fragment is percent-encoded and may be empty. None lets
            `builder.place(label=text, fragment=fragment, breaks=False)` do it.

    Returns:
        The title of the document, which may be empty, and how many code points were left out
        because a reader would not see them.

    Raises:
        DocumentRefusedError: `broken` or `over_limit`.
    """
    text = decode_markup(markup) if isinstance(markup, bytes) else markup
    parser = LexborHTMLParser(prepared(text))
    content = choose(parser, main_only=main_only)
    comments = write(builder, content, base_level=base_level, on_heading=on_heading)
    return content.title, content.hidden + comments


class HtmlLoader:
    """The loader of `html` documents."""

    @property
    def version(self) -> str:
        """The loader's version and that of the parser."""
        return f"1, selectolax {version('selectolax')}"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return the text and structure of a page.

        Raises:
            DocumentRefusedError: `broken`, `no_text` or `over_limit`.
        """
        builder = TextBuilder()
        try:
            title, hidden = add_html(builder, data)
        except DocumentRefusedError:
            raise
        except Exception:  # noqa: BLE001  a parser raises what it likes
            raise DocumentRefusedError("broken", "its markup cannot be read") from None
        if not builder.length:
            raise DocumentRefusedError("no_text", "there is no text in it")
        return builder.result(title, hidden=hidden)


LOADER = HtmlLoader()
