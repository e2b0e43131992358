"""Writes the content of a page in reading order."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

from selectolax.lexbor import LexborNode

from groundkit_core.structure import TextBuilder
from groundkit_index.loaders.html.content import Content
from groundkit_index.loaders.html.tables import Table

OnHeading = Callable[[str, str], None]
"""Told the percent-encoded fragment, which may be empty, and the text of a heading."""

_BREAK = "\0"
_MAX_DEPTH = 12
_MAX_LABEL = 100
_FRAGMENT_SAFE = "!$&'()*+,;=:@/?-._~"
_PASSING = re.compile(r"(?:skip|jump) to (?:\w+ ){0,2}(?:content|navigation|search)\W*", re.I)
_STEPS = re.compile(r"\W*(?:next|prev|previous|up|top|home|back)\b", re.I)
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-(?:source-)?|brush:\s*|sourceCode\s+|src src-)([\w+#.-]+)"
)
_NO_LANGUAGE = frozenset(["default", "none", "text", "plaintext", "notranslate"])

Leave = Callable[[], None]


def _READ() -> None:  # noqa: N802
    """Left instead of an element whose children were read at once."""


class Writer:
    """Collects running text, and gives it to the builder block by block."""

    def __init__(self, builder: TextBuilder, content: Content, base_level: int) -> None:
        self._builder = builder
        self._base = base_level
        self._ids = content.ids
        self._layout = content.layout
        self._parts: list[str] = []
        self._linked = 0
        self._lists: list[int | None] = []
        self._quotes = 0
        self._mark: str | None = None
        self._anchor = ""
        self._tables: list[Table] = []
        self._raw = 0
        self.on_heading: OnHeading = self._place
        self.comments = 0

    def _place(self, fragment: str, text: str) -> None:
        self._builder.place(label=text[:_MAX_LABEL], fragment=fragment, breaks=False)

    def text(self, text: str) -> None:
        """Collect text; blanks between blocks are nothing."""
        if self._parts or self._raw or not text.isspace():
            self._parts.append(text)

    def seen(self, node: LexborNode) -> None:
        """Note a name that a link can point to."""
        name = self._ids.get(node.mem_id)
        if name and not self._tables:
            self._anchor = name

    def flush(self) -> None:
        """Write what was collected as a paragraph or an item."""
        if not self._parts:
            return
        if self._tables or self._raw:
            self._parts.append(" ")
            return
        text, linked = self._taken()
        if not text or (linked and _is_passing(text, linked)):
            return
        if self._mark is not None:
            self._builder.item(text, depth=self._depth, mark=self._mark)
            self._mark = None
        else:
            self._builder.paragraph(text, depth=self._depth)
        self._anchor = ""

    @property
    def _depth(self) -> int:
        return min(len(self._lists) + self._quotes, _MAX_DEPTH)

    def _taken(self) -> tuple[str, int]:
        joined, linked = "".join(self._parts), self._linked
        self._parts, self._linked = [], 0
        if not joined or joined.isspace():
            return "", 0
        joined = joined.replace("\u00ad", "")
        if _BREAK not in joined:
            return " ".join(joined.split()), linked
        return "\n".join(" ".join(line.split()) for line in joined.split(_BREAK)).strip(), linked

    def block(self, node: LexborNode) -> Leave:
        self.flush()
        return self.flush

    def heading(self, node: LexborNode) -> Leave:
        self.flush()
        if self._tables:
            return self.flush
        own = self._ids.get(node.mem_id)
        level = _level(node) + self._base

        def leave() -> None:
            name = " ".join(self._taken()[0].split())
            if name:
                self._mark = None
                anchor = own or self._anchor
                self.on_heading(quote(anchor, safe=_FRAGMENT_SAFE), name)
                self._builder.heading(name, level)
                self._anchor = ""

        return leave

    def quoted(self, node: LexborNode) -> Leave:
        self.flush()
        self._quotes += 1

        def leave() -> None:
            self.flush()
            self._quotes -= 1

        return leave

    def listed(self, node: LexborNode) -> Leave:
        self.flush()
        self._lists.append(_first_number(node) if node.tag == "ol" else None)

        def leave() -> None:
            self.flush()
            self._lists.pop()

        return leave

    def item(self, node: LexborNode) -> Leave:
        self.flush()
        alone = not self._lists
        if alone:
            self._lists.append(None)
        number = self._lists[-1]
        if number is not None:
            self._lists[-1] = number + 1
        if not self._tables:
            self._mark = "-" if number is None else f"{number}."

        def leave() -> None:
            self.flush()
            self._mark = None
            if alone:
                self._lists.pop()

        return leave

    def term(self, node: LexborNode) -> Leave:
        self.flush()
        own = self._ids.get(node.mem_id)

        def leave() -> None:
            if self._tables:
                self.flush()
                return
            text = self._taken()[0]
            if own:
                self.on_heading(quote(own, safe=_FRAGMENT_SAFE), " ".join(text.split()))
            self._builder.paragraph(text, depth=self._depth, leads=True)

        return leave

    def line_break(self, node: LexborNode) -> None:
        if self._raw:
            self._parts.append("\n")
        else:
            self._parts.append(" " if self._tables else _BREAK)

    def image(self, node: LexborNode) -> None:
        alt = node.attributes.get("alt")
        self._parts.append(f" {alt} " if alt and alt.strip() else " ")

    def spaced(self, node: LexborNode) -> Leave:
        self._parts.append(" ")
        return lambda: self._parts.append(" ")

    def link(self, node: LexborNode) -> Leave:
        self.seen(node)
        first = len(self._parts)

        def leave() -> None:
            self._linked += sum(map(len, self._parts[first:]))

        return leave

    def pre(self, node: LexborNode) -> Leave:
        if self._tables or self._raw:
            return self.block(node)
        self.flush()
        self._raw += 1
        language = _language(node)

        def leave() -> None:
            self._raw -= 1
            text = "".join(self._parts).replace(_BREAK, "\n")
            self._parts, self._linked = [], 0
            self._mark = None
            self._builder.code(text, language)
            self._anchor = ""

        return leave

    def table(self, node: LexborNode) -> Leave:
        self.flush()
        if self._tables or node.mem_id in self._layout:
            return self.flush
        self._mark = None
        self._tables.append(Table())

        def leave() -> None:
            table = self._tables.pop()
            self._parts = []
            if table.caption:
                self._builder.paragraph(table.caption, depth=self._depth, leads=True)
            table.write(self._builder)
            self._anchor = ""

        return leave

    def row(self, node: LexborNode) -> Leave:
        if not self._tables:
            return self.block(node)
        self._tables[-1].begin_row()
        return lambda: None

    def cell(self, node: LexborNode) -> Leave:
        if not self._tables:
            return self.block(node)
        self._parts = []

        def leave() -> None:
            self._tables[-1].cell(self._taken()[0], node)

        return leave

    def caption(self, node: LexborNode) -> Leave:
        if not self._tables:
            return self.block(node)
        self._parts = []

        def leave() -> None:
            self._tables[-1].caption = self._taken()[0]

        return leave


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


_BLOCKS = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frameset",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "main",
    "nav",
    "noframes",
    "option",
    "p",
    "search",
    "section",
    "summary",
    "tbody",
    "tfoot",
    "thead",
]


def _handlers(writer: Writer) -> dict[str, Callable[[LexborNode], Leave | None]]:
    found: dict[str, Callable[[LexborNode], Leave | None]] = dict.fromkeys(_BLOCKS, writer.block)
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
        "table": writer.table,
        "tr": writer.row,
    }


def _walk(root: LexborNode, writer: Writer, skipped: frozenset[int]) -> None:
    handlers, ids = _handlers(writer), writer._ids
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
            child = node.child if leave is not _READ else None
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


def _level(node: LexborNode) -> int:
    tag = node.tag or ""
    return int(tag[1]) if len(tag) == 2 and tag[1].isdigit() else 2


def _first_number(node: LexborNode) -> int:
    start = node.attributes.get("start") or ""
    return int(start) if start.isdecimal() and len(start) < 7 else 1


def _is_passing(text: str, linked: int) -> bool:
    """Whether a paragraph of links only leads elsewhere, such as `Next: Indexing, Up: Top`."""
    if _PASSING.fullmatch(text):
        return True
    return bool(_STEPS.match(text)) and linked >= 0.6 * len(text)


def _language(node: LexborNode) -> str:
    inner = node.child
    around = (node, inner, node.parent, node.parent and node.parent.parent)
    for element in around:
        if element is None or (element.tag or "-").startswith("-"):
            continue
        found = _LANGUAGE.search(element.attributes.get("class") or "")
        if found and found[1] not in _NO_LANGUAGE:
            return found[1]
    return ""
