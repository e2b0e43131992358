"""Bytes to text, and offsets of text to lines."""

from groundkit_core.text.decoding import decode, decode_as
from groundkit_core.text.lines import LineIndex
from groundkit_core.text.newlines import unify_newlines

__all__ = ["LineIndex", "decode", "decode_as", "unify_newlines"]
