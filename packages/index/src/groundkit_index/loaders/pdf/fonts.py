"""What a font's name and flags tell about it."""

from __future__ import annotations

import re

from groundkit_index.loaders.pdf import calls

_FIXED, _FORCE_BOLD = 0x1, 0x40000
_BOLD = re.compile(r"bold|black|heavy|demi|medi(?!um|ev)|-bd\b|(?:cm|sf|ec)[a-z]*bx\d", re.I)
_MONO = re.compile(
    r"courier|mono(?!type)|typewriter|consol|menlo|inconsolata|fixed|terminal|\bcode"
    r"|(?:cm|sf|ec)[a-z]*tt\d|source ?code|lmtt|txtt",
    re.I,
)


def style_of(font: int | None) -> tuple[bool, bool]:
    """Return whether a font is bold, and whether all its characters are equally wide."""
    if not font:
        return False, False
    name, flags = calls.font_name(font).partition("+")[2] or calls.font_name(font), 0
    flags = max(calls.font_flags(font), 0)
    bold = bool(flags & _FORCE_BOLD) or bool(_BOLD.search(name))
    return bold, bool(flags & _FIXED) or bool(_MONO.search(name))
