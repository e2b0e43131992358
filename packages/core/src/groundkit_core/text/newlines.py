"""One kind of line end, without moving any offset."""

from __future__ import annotations


def unify_newlines(text: str) -> str:
    r"""The text with `\n` as its only line end, of the same length.

    `\r\n` becomes a blank and `\n`, a lone `\r` becomes `\n`, so every offset
    of the result is an offset of `text`.
    """
    if "\r" not in text:
        return text
    return text.replace("\r\n", " \n").replace("\r", "\n")
