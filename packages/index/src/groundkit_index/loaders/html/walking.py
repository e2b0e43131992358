"""Walks the content of a page in reading order."""

from __future__ import annotations

from collections.abc import Callable

from selectolax.lexbor import LexborNode

from groundkit_core.structure import TextBuilder
from groundkit_index.loaders.html.content import Content
from groundkit_index.loaders.html.writing import READ, Leave, OnHeading, Writer

Handler = Callable[[LexborNode], Leave | None]


def write(
    builder: TextBuilder, content: Content, *, base_level: int, on_heading: OnHeading | None
) -> int:
    """Write the content through the builder, and return the code points of comments in it."""
    writer = Writer(builder, content, base_level)
    if on_heading is not None:
        writer.on_heading = on_heading
    for root in content.roots:
        _walk(root, writer, content.skipped)
        writer.flush()
    return writer.comments


_BLOCKS = (
    "address article aside body center dd details dialog div fieldset figcaption figure footer form"
    " frameset header hgroup hr html legend main nav noframes option p search section summary tbody"
    " tfoot thead"
)


def _handlers(writer: Writer) -> dict[str, Handler]:
    found: dict[str, Handler] = dict.fromkeys(_BLOCKS.split(), writer.block)
    found |= dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), writer.heading)
    found |= dict.fromkeys(("ul", "ol", "dir", "menu", "dl"), writer.listed)
    found |= dict.fromkeys(("pre", "listing", "xmp", "plaintext"), writer.pre)
    found |= dict.fromkeys(("td", "th"), writer.cell)
    found |= dict.fromkeys(("button", "input", "textarea", "label"), writer.spaced)
    return found | {
        "a": writer.link,
        "blockquote": writer.quoted,
        "br": writer.line_break,
        "caption": writer.caption,
        "dt": writer.term,
        "img": writer.image,
        "li": writer.item,
        "math": writer.formula,
        "rp": lambda _: READ,
        "rt": writer.annotation,
        "sup": writer.raised,
        "table": writer.table,
        "tr": writer.row,
    }


def _walk(root: LexborNode, writer: Writer, skipped: frozenset[int]) -> None:
    """Visit every node below and including the root, without recursion."""
    handlers, ids = _handlers(writer), writer.ids
    above: list[tuple[LexborNode, Leave | None]] = []
    node: LexborNode | None = root
    while node is not None:
        tag, child, leave = node.tag, None, None
        if tag == "-text":
            writer.text(node.text_content or "")
        elif tag == "-comment":
            writer.comments += len(node.comment_content or "")
        elif node.mem_id not in skipped:
            handler = handlers.get(tag or "")
            if handler is not None:
                leave = handler(node)
            if node.mem_id in ids:
                writer.seen(node)
            child = node.child if leave is not READ else None
        if child is not None:
            above.append((node, leave))
            node = child
            continue
        if leave is not None:
            leave()
        if not above:
            return
        following = node.next
        while following is None and above:
            parent, leave = above.pop()
            if leave is not None:
                leave()
            following = parent.next if above else None
        node = following
