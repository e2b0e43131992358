"""Tells navigation, banners and the like from the content of a page."""

from __future__ import annotations

import re
from enum import Enum

from selectolax.lexbor import LexborNode


class Verdict(Enum):
    """What an element is taken for."""

    KEEP = "content"
    CONTENTS = "a table of contents, read only on a page that has little else"
    CHROME = "not content"


CANDIDATES = ", ".join(
    (
        "nav, header, footer, aside, button, input, textarea, [role]",
        "div[class], div[id], ul[class], ul[id], ol[class], table[class], table[id], p[class]",
        "section[class], td[class], form, address[class]",
        "a[class], span[class*=lineno], span.mw-editsection, pre.lineno",
    )
)
"""Selects what may be boilerplate."""


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_ROLES = _set(
    "navigation banner contentinfo search menu menubar toolbar tablist dialog alertdialog"
    " doc-pagebreak"
)
# Words of a class or id, which count where most of the text is in links.
_NAVIGATION = _set(
    "nav navbar navigation navheader navfooter navpath navrow breadcrumb breadcrumbs crumbs menu"
    " submenu topmenu sidebar sphinxsidebar sidenav sidebarwrapper pagination pager toolbar topbar"
    " topnav subnav bottomnav masthead share social sharing skip header"
)
_BARS = _set("navheader navfooter breadcrumb breadcrumbs navbar pagination")
_FOOTERS = _set("footer copyright colophon siteinfo")
_COOKIES = _set("cookie cookies gdpr consent ccpa")
_BANNERS = _set("banner notice consent bar popup modal overlay message wall law")
# Whole classes or ids.
_CONTENTS = _set(
    "toc contents table-of-contents tableofcontents toctree-wrapper localtoc shortcontents"
    " short-contents element-contents region-contents"
)
_KNOWN = _set("cybotcookiebotdialog onetrust-consent-sdk onetrust-banner-sdk cookieconsent")
# What stands beside the text: anchors, line numbers, buttons.
_BESIDE = _set(
    "headerlink anchor-link anchorjs-link permalink hash-link skip-link skiplink skip-nav"
    " skip-to-content mw-editsection linenos linenodiv gutter line-numbers lineno go-top"
    " copybutton copy_to_clipboard_button"
)

_WORDS = re.compile(r"[\s_-]+|(?<=[a-z])(?=[A-Z])")
_MAX_BAR = 400
_MAX_FOOTER = 600
_MAX_BANNER = 1_500
_MAX_LINKS = 20_000
_MANY_LINKS = 0.5
_MAX_CLIMB = 600


def judge(node: LexborNode) -> Verdict:
    """Tell what one of the `CANDIDATES` is."""
    tag, attributes = node.tag or "", node.attributes
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    whole = set(names.lower().split())
    if not _BESIDE.isdisjoint(whole):
        return Verdict.CHROME
    if tag in {"a", "span", "pre", "main", "article"}:
        return Verdict.KEEP
    if tag in {"button", "input", "textarea"}:
        return _control(node)
    if tag == "nav" or (attributes.get("role") or "") in _ROLES:
        return Verdict.CHROME
    if tag in {"header", "footer", "aside"}:
        return _around(node)
    return _by_names(node, names, whole)


def _by_names(node: LexborNode, names: str, whole: set[str]) -> Verdict:
    words = {word.lower() for word in _WORDS.split(names) if word}
    if not _CONTENTS.isdisjoint(whole) and _is_links(node):
        return Verdict.CONTENTS
    if not _NAVIGATION.isdisjoint(words) and (_is_links(node) or _is_bar(node, words)):
        return Verdict.CHROME
    if not _FOOTERS.isdisjoint(words) and _is_footer(node):
        return Verdict.CHROME
    banner = not _COOKIES.isdisjoint(words) and not _BANNERS.isdisjoint(words)
    if (banner or not _KNOWN.isdisjoint(whole)) and _is_banner(node):
        return Verdict.CHROME
    return Verdict.KEEP


def _control(node: LexborNode) -> Verdict:
    """Judge a form's control: only a button that is a heading has text of the page."""
    inside = node.tag == "button" and _within(node, _set("h1 h2 h3 h4 h5 h6 summary"))
    return Verdict.KEEP if inside or node.tag == "textarea" else Verdict.CHROME


def _around(node: LexborNode) -> Verdict:
    """Judge a header, footer or aside: those of an article or of the main part are content."""
    if _within(node, _set("main article section")):
        return Verdict.CHROME if _is_links(node) else Verdict.KEEP
    if node.tag == "footer":
        return Verdict.KEEP if node.css_first("h1, h2, h3, pre, table") else Verdict.CHROME
    return Verdict.CHROME if _is_links(node) or not node.css_first("h1, h2, p") else Verdict.KEEP


def _is_links(node: LexborNode) -> bool:
    """Whether most of its text is in links, or it has none."""
    size = _size(node)
    if size > _MAX_LINKS or node.css_first("th, pre") is not None:
        return False
    return sum(map(_size, node.css("a"))) >= _MANY_LINKS * size


def _is_bar(node: LexborNode, words: set[str]) -> bool:
    """Whether it is a short strip of links between other words, as above a manual's page."""
    if _BARS.isdisjoint(words) or _size(node) > _MAX_BAR:
        return False
    return node.css_first("a") is not None and node.css_first("h1, h2, p, pre") is None


def _is_footer(node: LexborNode) -> bool:
    return _size(node) <= _MAX_FOOTER and node.css_first("h1, h2, h3, pre, table") is None


def _is_banner(node: LexborNode) -> bool:
    return _size(node) <= _MAX_BANNER and node.css_first("button, input, a") is not None


def _within(node: LexborNode, tags: frozenset[str]) -> bool:
    parent = node.parent
    for _ in range(_MAX_CLIMB):
        if parent is None:
            return False
        if parent.tag in tags:
            return True
        parent = parent.parent
    return False


def _size(node: LexborNode) -> int:
    return len("".join(node.text().split()))
