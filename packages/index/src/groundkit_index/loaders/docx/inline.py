"""Puts together the text of one paragraph from its runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from groundkit_index.loaders.docx.names import VAL, M, W, switched
from groundkit_index.loaders.docx.styles import Styles
from groundkit_index.loaders.ooxml.package import MC
from groundkit_index.loaders.xmltree import Element

_SYMBOLS = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾"
    "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
"""The font Symbol from code 32 on."""
_PRIVATE = 0xF000

_PLAIN = {
    f"{W}tab": "\t",
    f"{W}ptab": "\t",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
}
_INSIDE = frozenset(
    W + name
    for name in (
        *("hyperlink", "ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent"),
        *("fldSimple", "dir", "bdo", "ruby", "rubyBase"),
    )
)
_T, _R, _RPR, _VANISH, _RSTYLE = f"{W}t", f"{W}r", f"{W}rPr", f"{W}vanish", f"{W}rStyle"
_MATH = {f"{M}f": "/", f"{M}sSup": "^", f"{M}sSub": "_"}


class Inline:
    """Collects the text of paragraphs; fields stay open from one to the next.

    Attributes:
        hidden: code points that were left out because they are hidden.
        drawings: what the last paragraph held that may hold text of its own.
        references: footnotes and endnotes of the last paragraph: kind, id and mark.
    """

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._fields: list[bool] = []
        self._parts: list[str] = []
        self._hides = False
        self._marks = {"footnote": 0, "endnote": 0}
        self.hidden = 0
        self.drawings: list[Element] = []
        self.references: list[tuple[str, str, str]] = []
        self._handlers: dict[str, Callable[[Element], None]] = {
            _R: self._run,
            f"{M}oMath": self._math,
            f"{M}oMathPara": self._math,
            f"{MC}AlternateContent": self._alternative,
            f"{W}fldChar": self._field,
            f"{W}sym": self._symbol,
            f"{W}footnoteReference": self._reference,
            f"{W}endnoteReference": self._reference,
            f"{W}drawing": self._drawing,
            f"{W}pict": self._drawing,
            f"{W}object": self._drawing,
        }

    def text(self, paragraph: Element, *, hides: bool) -> str:
        """Return the text of a paragraph as a reader sees it.

        Args:
            paragraph: its element.
            hides: whether its style hides it.
        """
        self._parts, self.drawings, self.references, self._hides = [], [], [], hides
        self._walk(paragraph)
        # The code of a field does not reach over paragraphs; one without an end would eat all.
        self._fields = [in_code for in_code in self._fields if not in_code]
        return "".join(self._parts).replace("\xad", "")

    def _walk(self, element: Element) -> None:
        for child in element:
            tag = child.tag
            if tag in _INSIDE:
                self._walk(child)
            elif (handler := self._handlers.get(tag)) is not None:
                handler(child)

    def _run(self, run: Element) -> None:
        before = self._hides
        for child in run:
            tag = child.tag
            if tag == _T:
                self._add(child.text or "")
            elif tag == _RPR:
                self._hides = before or self._hidden_by(child)
            elif tag in _PLAIN:
                self._add(_PLAIN[tag])
            elif tag in _INSIDE:
                self._walk(child)
            elif (handler := self._handlers.get(tag)) is not None:
                handler(child)
        self._hides = before

    def _add(self, text: str) -> None:
        if self._fields and True in self._fields:
            return
        if self._hides:
            self.hidden += len(text)
        else:
            self._parts.append(text)

    def _hidden_by(self, properties: Element) -> bool:
        vanish = properties.find(_VANISH)
        if vanish is not None:
            return switched(vanish)
        style = properties.find(_RSTYLE)
        return style is not None and self._styles[style.get(VAL, "")].hidden

    def _field(self, element: Element) -> None:
        kind = element.get(f"{W}fldCharType")
        if kind == "begin":
            self._fields.append(True)
        elif kind == "separate" and self._fields:
            self._fields[-1] = False
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _symbol(self, element: Element) -> None:
        try:
            code = int(element.get(f"{W}char", ""), 16)
        except ValueError:
            return
        place = (code - _PRIVATE if code >= _PRIVATE else code) - ord(" ")
        if element.get(f"{W}font") == "Symbol" and 0 <= place < len(_SYMBOLS):
            self._add(_SYMBOLS[place])
        elif code < _PRIVATE:
            self._add(chr(code))

    def _reference(self, element: Element) -> None:
        if self._hides:
            return
        kind = "endnote" if element.tag == f"{W}endnoteReference" else "footnote"
        self._marks[kind] += 1
        mark = f"[^{'e' if kind == 'endnote' else ''}{self._marks[kind]}]"
        self.references.append((kind, element.get(f"{W}id", ""), mark))
        self._add(mark)

    def _drawing(self, element: Element) -> None:
        if not self._hides:
            self.drawings.append(element)

    def _alternative(self, element: Element) -> None:
        chosen = element.find(f"{MC}Choice")
        if chosen is None:
            chosen = element.find(f"{MC}Fallback")
        if chosen is not None:
            self._run(chosen)

    def _math(self, element: Element) -> None:
        self._add("".join(_formula(element)))


def _formula(element: Element) -> Iterator[str]:
    """The text of a formula on one line."""
    mark = _MATH.get(element.tag)
    for place, child in enumerate(part for part in element if not part.tag.endswith("Pr")):
        if place and mark:
            yield mark
        if child.tag == f"{M}t" or child.tag == _T:
            yield child.text or ""
        else:
            yield from _formula(child)
