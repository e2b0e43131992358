"""Texts on their way to a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def prefixed(prefix: str, texts: Sequence[str]) -> list[str]:
    """Return the texts with the prefix before each; lone surrogates become `?`."""
    return [_encodable(prefix + text) for text in texts]


def batches(texts: Sequence[str], items: int, chars: int) -> Iterator[Sequence[str]]:
    """Yield the texts in order, at most `items` and `chars` code points at a time.

    A text that alone is longer than `chars` comes alone.
    """
    start = size = 0
    for position, text in enumerate(texts):
        full = position - start == items or size + len(text) > chars
        if full and position > start:
            yield texts[start:position]
            start, size = position, 0
        size += len(text)
    if start < len(texts):
        yield texts[start:]


def _encodable(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")
