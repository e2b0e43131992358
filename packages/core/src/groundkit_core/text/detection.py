"""Guessing the encoding of bytes that do not announce it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from charset_normalizer.models import CharsetMatch

SAMPLE_BYTES = 1 << 18
"""How much of the data the guess rests on."""

# In order of preference where the evidence is equal: the codecs of several bytes accept little
# by accident. UTF-16 without a BOM and EBCDIC turn short Western text into mojibake: left out.
CANDIDATES = (
    "cp1252",
    "cp932",
    "euc_jp",
    "cp949",
    "big5",
    "gb18030",
    "cp1250",
    "iso8859_2",
    "cp1251",
    "koi8_r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp1258",
    "cp874",
    "iso8859_5",
    "mac_roman",
)
_CHAOS_TIE = 0.01
_COHERENCE_TIE = 0.055


def detect_encoding(data: bytes) -> str | None:
    """The most plausible legacy encoding of `data`, or None when none is.

    Only the codecs of `CANDIDATES` are considered; the scores are those of
    charset-normalizer on the first `SAMPLE_BYTES`.
    """
    from charset_normalizer import from_bytes

    matches = from_bytes(
        _sample(data),
        cp_isolation=list(CANDIDATES),
        preemptive_behaviour=False,
        enable_fallback=False,
    )
    best = matches.best()
    if best is None:
        return None
    equals = {name for match in matches if _ties(match, best) for name in _names(match)}
    return next((name for name in CANDIDATES if name in equals), None)


def _sample(data: bytes) -> bytes:
    if len(data) <= SAMPLE_BYTES:
        return data
    sample = data[:SAMPLE_BYTES]
    # Behind a blank or line end no character of several bytes is cut.
    return sample[: max(sample.rfind(b" "), sample.rfind(b"\n")) + 1] or sample


def _names(match: CharsetMatch) -> list[str]:
    return [match.encoding, *match.could_be_from_charset]


def _ties(match: CharsetMatch, best: CharsetMatch) -> bool:
    return (
        match.chaos <= best.chaos + _CHAOS_TIE
        and match.coherence >= best.coherence - _COHERENCE_TIE
    )
