"""Writes blocks of a page as pieces of text."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

from selectolax.lexbor import LexborNode

from groundkit_core.structure import TextBuilder
from groundkit_index.loaders.html.content import Content
from groundkit_index.loaders.html.formulas import formula
from groundkit_index.loaders.html.tables import Table

OnHeading = Callable[[str, str], None]
"""Told the percent-encoded fragment, which may be empty, and the text of a heading."""

_BREAK = "\0"
_MAX_DEPTH = 12
_MAX_LABEL = 100
_FRAGMENT_SAFE = "!$&'()*+,;=:@/?-._~"
_PASSING = re.compile(r"(?:skip|jump) to (?:\w+ ){0,2}(?:content|navigation|search)\W*", re.I)
_STEP = re.compile(r"\b(?:next|prev|previous|up|top|home|contents|index)\b", re.IGNORECASE)
_MAX_PASSING = 300
_LINKED = 0.4
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-(?:source-)?|brush:\s*|sourceCode\s+|src src-)"
    r"([\w+#.-]+)"
)
_NO_LANGUAGE = frozenset(["default", "none", "text", "plaintext", "notranslate"])

Leave = Callable[[], None]


def _nothing() -> None:
    """Leave an element without a trace."""


READ: Leave = _nothing
"""Returned for an element whose children were read at once."""


class Writer:
    """Collects running text, and gives it to the builder block by block.

    Its methods for elements are called when one is entered, and return what to do when it is left.
    """

    def __init__(self, builder: TextBuilder, content: Content, base_level: int) -> None:
        self._builder = builder
        self._base = base_level
        self.ids = content.ids
        self._layout = content.layout
        self._main_only = content.main_only
        self._parts: list[str] = []
        self._linked = 0
        self._lists: list[int | None] = []
        self._quotes = 0
        self._mark: str | None = None
        self._anchor = ""
        self._anchored = 0
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
        name = self.ids.get(node.mem_id)
        if name and not self._tables:
            self._anchor, self._anchored = name, len(self._parts)

    def flush(self) -> None:
        """Write what was collected as a paragraph or an item."""
        if not self._parts:
            return
        if self._tables or self._raw:
            self._parts.append(" ")
            return
        text, linked = self._taken()
        if not text or (linked and self._main_only and _is_passing(text, linked)):
            return
        if self._mark is not None:
            self._builder.item(text, depth=self._depth, mark=self._mark)
            self._mark = None
        else:
            self._builder.paragraph(text, depth=self._depth)

    @property
    def _depth(self) -> int:
        return min(len(self._lists) + self._quotes, _MAX_DEPTH)

    def _taken(self) -> tuple[str, int]:
        joined, linked = "".join(self._parts), self._linked
        if self._anchor and "".join(self._parts[self._anchored :]).strip():
            self._anchor = ""
        self._parts, self._linked, self._anchored = [], 0, 0
        if not joined or joined.isspace():
            return "", 0
        joined = joined.replace("\u00ad", "")
        if _BREAK not in joined:
            return " ".join(joined.split()), linked
        return "\n".join(" ".join(line.split()) for line in joined.split(_BREAK)).strip(), linked

    def block(self, _: LexborNode) -> Leave:
        """Begin and end a paragraph."""
        self.flush()
        return self.flush

    def heading(self, node: LexborNode) -> Leave:
        """Write a heading, and where links to it lead."""
        self.flush()
        if self._tables:
            return self.flush
        own = self.ids.get(node.mem_id)
        level = _level(node) + self._base

        def leave() -> None:
            anchor = own or self._anchor
            name = " ".join(self._taken()[0].split())
            if name:
                self._mark = None
                self.on_heading(quote(anchor, safe=_FRAGMENT_SAFE), name)
                self._builder.heading(name, level)
                self._anchor = ""

        return leave

    def quoted(self, node: LexborNode) -> Leave:
        """Nest what is in a quotation."""
        self.flush()
        self._quotes += 1

        def leave() -> None:
            self.flush()
            self._quotes -= 1

        return leave

    def listed(self, node: LexborNode) -> Leave:
        """Nest a list."""
        self.flush()
        self._lists.append(_first_number(node) if node.tag == "ol" else None)

        def leave() -> None:
            self.flush()
            self._lists.pop()

        return leave

    def item(self, node: LexborNode) -> Leave:
        """Mark the first paragraph of an item."""
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
        """Write a term, which leads its definition."""
        self.flush()
        own = self.ids.get(node.mem_id)

        def leave() -> None:
            if self._tables:
                self.flush()
                return
            text, self._mark = self._taken()[0], None
            if own and text:
                self.on_heading(quote(own, safe=_FRAGMENT_SAFE), " ".join(text.split()))
            self._builder.paragraph(text, depth=self._depth, leads=True)

        return leave

    def line_break(self, _: LexborNode) -> None:
        """Break the line."""
        if self._raw:
            self._parts.append("\n")
        else:
            self._parts.append(" " if self._tables else _BREAK)

    def formula(self, node: LexborNode) -> Leave:
        """Write a formula on the line."""
        self._parts.append(f" {formula(node)} ")
        return READ

    def image(self, node: LexborNode) -> None:
        """Write what stands for an image."""
        alt = node.attributes.get("alt")
        self._parts.append(f" {alt} " if alt and alt.strip() else " ")

    def raised(self, node: LexborNode) -> Leave | None:
        """Keep a power apart from its base, and the number of a note from the word before it."""
        before = self._parts[-1][-1:] if self._parts and self._parts[-1] else ""
        if node.css_first("a") is not None:
            first = len(self._parts)

            def leave() -> None:
                text = "".join(self._parts[first:]).strip()
                self._parts[first:] = [text if not text or text[0] in "[(" else f"[{text}]"]

            return leave
        if before.isdigit():
            self._parts.append("^")
        return None

    def annotation(self, node: LexborNode) -> Leave:
        """Put what stands over a word in ruby text behind it."""
        text = " ".join(node.text().split())
        if text:
            self._parts.append(f"({text})")
        return READ

    def spaced(self, _: LexborNode) -> Leave:
        """Keep a control apart from the text around it."""
        self._parts.append(" ")
        return lambda: self._parts.append(" ")

    def link(self, node: LexborNode) -> Leave:
        """Note how much of the text is in links."""
        self.seen(node)
        first = len(self._parts)

        def leave() -> None:
            self._linked += sum(map(len, self._parts[first:]))

        return leave

    def pre(self, node: LexborNode) -> Leave:
        """Write text with all its blanks."""
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
        """Collect the cells of a table that holds data."""
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

    def row(self, node: LexborNode) -> Leave | None:
        """Begin a row."""
        if not self._tables:
            return self.block(node)
        self._tables[-1].begin_row()
        return None

    def cell(self, node: LexborNode) -> Leave:
        """Collect a cell."""
        if not self._tables:
            return self.block(node)
        self._parts = []

        def leave() -> None:
            self._tables[-1].cell(self._taken()[0], node)

        return leave

    def caption(self, node: LexborNode) -> Leave:
        """Collect the caption of a table."""
        if not self._tables:
            return self.block(node)
        self._parts = []

        def leave() -> None:
            self._tables[-1].caption = self._taken()[0]

        return leave


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
    steps = _STEP.findall(text)
    begins = _STEP.match(text.lstrip(" [(|«<←")) is not None
    return begins and len(steps) > 1 and len(text) <= _MAX_PASSING and linked >= _LINKED * len(text)


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
