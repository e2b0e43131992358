"""Decides which parts of a page are its content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from groundkit_index.loaders.html.boilerplate import CANDIDATES, Verdict, judge
from groundkit_index.loaders.html.hidden import HIDDEN, is_hidden
from groundkit_index.loaders.html.tables import layout_tables

_UNREAD = (
    "script style noscript svg template select datalist iframe object embed video audio canvas"
    " progress meter head"
)
UNREAD = _UNREAD.split()
"""Elements without text that a reader of the content needs."""

_SMALL = 500
_SMALL_SHARE = 0.1
_CONTENTS_SHARE = 0.5
_MAIN_CHARS = 500
_MAIN_SHARE = 0.4
_ARTICLE_SHARE = 0.6
_MAX_CLIMB = 600


@dataclass(frozen=True, slots=True)
class Content:
    """What of a page is read.

    Attributes:
        parser: keeps the nodes alive.
        roots: read one after the other.
        skipped: `mem_id` of the elements that are left out.
        layout: `mem_id` of the tables that hold no data.
        ids: names of elements that a link can point to, by `mem_id`.
        title: may be empty.
        hidden: code points of hidden elements.
        main_only: whether boilerplate is left out.
    """

    parser: LexborHTMLParser
    roots: tuple[LexborNode, ...]
    skipped: frozenset[int]
    layout: frozenset[int]
    ids: dict[int, str]
    title: str
    hidden: int
    main_only: bool


def choose(parser: LexborHTMLParser, *, main_only: bool) -> Content:
    """Choose what of a page is read; with `main_only` false, all that is visible."""
    title = _title(parser)
    parser = _framed(parser)
    parser.strip_tags(UNREAD, recursive=True)
    body = parser.body or parser.root
    if body is None:
        return Content(parser, (), frozenset(), frozenset(), {}, title, 0, main_only)
    hidden = {node.mem_id: node for node in body.css(HIDDEN) if is_hidden(node)}
    count = sum(_size(node) for node in _outermost(hidden))
    skipped = set(hidden)
    roots = [body]
    if main_only:
        left, kept = _without_boilerplate(body, hidden)
        skipped |= left
        roots = _main(body, skipped, kept)
    layout, ids = layout_tables(body), _ids(body)
    return Content(parser, tuple(roots), frozenset(skipped), layout, ids, title, count, main_only)


def _title(parser: LexborHTMLParser) -> str:
    for query in ("head > title", "h1"):
        node = parser.css_first(query)
        text = " ".join(node.text().split()) if node is not None else ""
        if text:
            return text
    return ""


def _framed(parser: LexborHTMLParser) -> LexborHTMLParser:
    """Return what a page of frames offers to those who see none."""
    if parser.css_first("frameset") is None:
        return parser
    found = parser.css_first("noframes")
    return LexborHTMLParser(found.text()) if found is not None else parser


def _size(node: LexborNode) -> int:
    return len(" ".join(node.text().split()))


def _outermost(nodes: dict[int, LexborNode]) -> Iterator[LexborNode]:
    """Yield the nodes that stand in none of the others; each element above is met once."""
    within: dict[int, bool] = {}
    for node in nodes.values():
        met, inside = [], False
        for above in _above(node):
            key = above.mem_id
            if key in nodes or key in within:
                inside = key in nodes or within[key]
                break
            met.append(key)
        within.update(dict.fromkeys(met, inside))
        if not inside:
            yield node


def _above(node: LexborNode) -> Iterator[LexborNode]:
    parent = node.parent
    for _ in range(_MAX_CLIMB):
        if parent is None:
            return
        yield parent
        parent = parent.parent


def _without_boilerplate(body: LexborNode, hidden: dict[int, LexborNode]) -> tuple[set[int], int]:
    """Return the boilerplate, and the size of the rest; less is left out if hardly any remains."""
    found: dict[Verdict, dict[int, LexborNode]] = {Verdict.CONTENTS: {}, Verdict.CHROME: {}}
    for node in body.css(CANDIDATES):
        verdict = judge(node)
        if verdict is not Verdict.KEEP:
            found[verdict][node.mem_id] = node
    total = _size(body)
    chrome, contents = found[Verdict.CHROME], found[Verdict.CONTENTS]
    left = sum(map(_size, _outermost(hidden | chrome)))
    if total - left < min(_SMALL, _SMALL_SHARE * total):
        return set(), total
    more = sum(map(_size, _outermost(hidden | chrome | contents)))
    if total - more < _CONTENTS_SHARE * (total - left):
        return set(chrome), total - left
    return {*chrome, *contents}, total - more


def _main(body: LexborNode, skipped: set[int], kept: int) -> list[LexborNode]:
    found = {node.mem_id: node for node in body.css("main, [role=main]")}
    mains = [node for node in found.values() if _is_outer(node, skipped, "main")]
    size = sum(map(_size, mains))
    if mains and size >= min(_MAIN_CHARS, _MAIN_SHARE * kept):
        return _with_heading(body, mains, skipped)
    articles = [node for node in body.css("article") if _is_outer(node, skipped, "article")]
    if len(articles) == 1 and _size(articles[0]) >= _ARTICLE_SHARE * kept:
        return _with_heading(body, articles, skipped)
    return [body]


def _is_outer(node: LexborNode, skipped: set[int], tag: str) -> bool:
    if node.mem_id in skipped:
        return False
    return not any(above.mem_id in skipped or above.tag == tag for above in _above(node))


def _with_heading(body: LexborNode, roots: list[LexborNode], skipped: set[int]) -> list[LexborNode]:
    """Add the page's first heading, where it stands outside of its main part."""
    if any(root.css_first("h1") is not None for root in roots):
        return roots
    heading = body.css_first("h1")
    if heading is None or not _is_outer(heading, skipped, ""):
        return roots
    return [heading, *roots]


def _ids(body: LexborNode) -> dict[int, str]:
    found = {}
    for node in body.css("[id], a[name]"):
        attributes = node.attributes
        name = attributes.get("id") or attributes.get("name")
        if name:
            found[node.mem_id] = name
    return found
