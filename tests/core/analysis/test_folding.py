"""What looks the same to a reader gives the same tokens."""

from __future__ import annotations

import re
import unicodedata

import pytest

from groundkit_core.analysis import Analyzer
from groundkit_core.analysis.folding import normalize
from groundkit_core.analysis.scripts import MARKS


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("caf\u00e9", "cafe"),
        ("cafe\u0301", "cafe"),
        ("CAF\u00c9", "cafe"),
        ("sm\u00f8rrebr\u00f8d", "smorrebrod"),
        ("\u0141\u00f3d\u017a", "lodz"),
        ("\u00e6on", "aeon"),
        ("stra\u00dfe", "strasse"),
        ("STRASSE", "strasse"),
        ("\u0130stanbul", "istanbul"),
        ("\u03ac\u03bb\u03c6\u03b1", "\u03b1\u03bb\u03c6\u03b1"),
        ("\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03bf\u03c3"),
        ("\u0451\u043b\u043a\u0430", "\u0435\u043b\u043a\u0430"),
        ("\u041c\u043e\u0441\u043a\u0432\u0430\u0301", "\u043c\u043e\u0441\u043a\u0432\u0430"),
        ("\uff41\uff42\uff43", "abc"),
        ("\ufb01x", "fix"),
        ("co\u00adoperate", "cooperate"),
        ("zero\u200bwidth", "zerowidth"),
        ("\ufeffstart", "start"),
        ("e\u00ad\u0301t\u200de", "ete"),
        ("\u0663\u0664", "34"),
    ],
)
def test_variants_fold_to_one_token(plain: Analyzer, text: str, token: str) -> None:
    assert plain.tokens(text) == [token]


@pytest.mark.parametrize(
    "text",
    [
        "\u0439",  # й is not и
        "\u0457",  # ї is not і
        "\u0453",  # ѓ is not г
        "\u304c",  # が is not か
        "\u0939\u093f\u0928\u094d\u0926\u0940",  # Devanagari vowel signs
        "\u05e9\u05c1\u05dc\u05d5\u05dd",  # Hebrew points
    ],
)
def test_marks_that_make_another_letter_stay(plain: Analyzer, text: str) -> None:
    assert plain.tokens(text) == [unicodedata.normalize("NFC", text)]
    assert plain.tokens(unicodedata.normalize("NFD", text)) == plain.tokens(text)


def test_every_character_survives_compatibility_normalisation() -> None:
    different = [
        f"U+{code:04X}"
        for code in range(0x110000)
        if (folded := unicodedata.normalize("NFKC", chr(code))) != chr(code)
        and normalize(folded) != normalize(chr(code))
    ]
    assert different == []


def test_every_combining_mark_is_known() -> None:
    mark = re.compile(f"[{MARKS}]")
    unknown = [
        f"U+{code:04X}"
        for code in range(0x110000)
        if unicodedata.category(chr(code))[0] == "M" and not mark.match(chr(code))
    ]
    assert unknown == []
