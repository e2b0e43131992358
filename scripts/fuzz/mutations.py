"""Ways to damage bytes; each takes a random source and gives the damaged bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

Mutation = Callable[[Random, bytes, Sequence[bytes]], bytes]
"""Called as `mutation(random, data, others)`; `others` are documents to take parts from."""

_MAGICS = (
    b"%PDF-1.7\n", b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\x1f\x8b\x08", b"\x89PNG\r\n\x1a\n", b"<!DOCTYPE html>", b"<?xml version='1.0'?>",
    b"{\\rtf1", b"WEBVTT\n\n", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"From x@y\n",
    b"BZh9", b"\xfd7zXZ\x00",
)  # fmt: skip
_ODDITIES = (
    "\0", "\ufeff", "\u202e", "\u2066", "\u200b", "\u00ad", "\u0085", "\u2028", "\u2029", "\r",
    "\r\n", "\x0b", "\x0c", "\x1b[31m", "\ufffe", "\uffff", "\ufffd", "e" + "\u0301" * 300,
    "\U0001f468\u200d\U0001f469", "ﷺ" * 50, "İ", "ß", "ﬁ", "\u3000", "\U000e0041", "\ue000",
    "𝕏", "\u0345", "ǅ", "Σς", "\ud7ff",
)  # fmt: skip
_RAW = (b"\xed\xa0\x80", b"\xff", b"\xc0\x80", b"\xf5\x80\x80\x80", b"\x80", b"\xe2\x82", b"\x00")
_ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "shift_jis", "utf-7", "cp037")
_NUMBERS = (b"", b"0", b"-1", b"1e999", b"4294967296", b"9" * 20, b"9" * 5_000, b"0x7f")
_FILLERS = (b"a", "é".encode(), "漢".encode(), b"a ", b"\t", b"|", b"`", b"-", b"[", b",")
_PAIRS = (
    (b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b'{"a":', b"}"), (b"<<", b">>"), (b"**", b"**"),
    (b"<div>", b"</div>"), (b"`", b"`"), (b"> ", b""), (b"- ", b""), (b"\n{% if x %}", b""),
)  # fmt: skip
_DEPTHS = (3, 30, 300, 1_000, 5_000, 20_000)
_LENGTHS = (1, 2, 10, 100, 3_000)
_MOST_BYTES = 400_000


def truncate(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Cut the end or the start off."""
    at = _place(random, data)
    return data[:at] if random.random() < 0.8 else data[at:]


def flip_bits(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Flip one or more bits."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 20, 200)) if changed else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def overwrite(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Overwrite a stretch with one value or with noise."""
    at, length = _place(random, data), random.choice(_LENGTHS)
    value = bytes([random.choice((0, 0x20, 0x7F, 0xFF, 0x28, 0x3C))])
    noise = value * length if random.random() < 0.6 else random.randbytes(length)
    return data[:at] + noise + data[at + length :]


def delete(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Delete a stretch."""
    at = _place(random, data)
    return data[:at] + data[at + random.choice(_LENGTHS) :]


def insert(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Insert noise."""
    at = _place(random, data)
    return data[:at] + random.randbytes(random.choice(_LENGTHS)) + data[at:]


def repeat(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Repeat a stretch, up to some thousand times."""
    start, end = sorted((_place(random, data), _place(random, data)))
    part = data[start : min(end, start + 2_000)]
    times = min(random.choice((1, 2, 20, 2_000)), _MOST_BYTES // max(len(part), 1))
    return data[:end] + part * times + data[end:]


def splice(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Go on with a part of another document."""
    other = random.choice(others)
    return data[: _place(random, data)] + other[_place(random, other) :]


def swap_magic(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Begin like another format."""
    magic = random.choice(_MAGICS)
    return magic + (data[len(magic) :] if random.random() < 0.5 else data)


def change_number(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Replace a number by one that hardly fits."""
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return data
    odd = (
        b"0",
        b"-1",
        b"1e999",
        b"4294967296",
        b"99999999999999999999",
        b"9" * 5_000,
        b"0x7f",
        b"",
    )
    one = random.choice(found)
    return data[: one.start()] + random.choice(odd) + data[one.end() :]


def oddity(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Put odd characters, or bytes that are none, in several places."""
    for _ in range(random.choice((1, 3, 30))):
        at = _place(random, data)
        raw = random.random() < 0.15
        data = data[:at] + (random.choice(_RAW) if raw else _odd(random)) + data[at:]
    return data


def encode_again(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Write the text in another encoding."""
    return data.decode("utf-8", "replace").encode(random.choice(_ENCODINGS), "ignore")


def shuffle_lines(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Put some lines elsewhere, under other newlines."""
    lines = data.split(b"\n")
    for _ in range(random.choice((1, 5, len(lines)))):
        line = lines.pop(random.randrange(len(lines)))
        lines.insert(random.randrange(len(lines) + 1), line)
    return random.choice((b"\n", b"\r\n", b"\r", b"\n\n", b"\n" + b" " * 9)).join(lines)


def long_line(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Take the newlines away, and make one word very long."""
    at = _place(random, data)
    filler = random.choice(
        (b"a", "é".encode(), "漢".encode(), b"a ", b"\t", b"|", b"`", b"-", b"[", b",")
    )
    without = data.replace(b"\n", b" ") if random.random() < 0.5 else data
    return without[:at] + filler * random.choice((100, 3_000, 60_000)) + without[at:]


def nest(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Repeat an opening and its closing, so that parts nest deep; the closing may lack."""
    depth = random.choice(_DEPTHS)
    tags = list(re.finditer(rb"<([A-Za-z][\w:.-]*)\b[^<>/]{0,200}>", data))
    if tags and random.random() < 0.8:
        one = random.choice(tags)
        opening, closing = one[0], b"</%b>" % one[1]
    else:
        opening, closing = random.choice(_PAIRS)
    depth = min(depth, _MOST_BYTES // len(opening))
    at = tags[0].start() if tags and random.random() < 0.2 else _place(random, data)
    if tags and opening.startswith(b"<") and opening in data:
        at = data.index(opening)
    end = data.rfind(closing) if closing in data[at:] else at
    closings = closing * depth if random.random() < 0.7 else b""
    return data[:at] + opening * depth + data[at:end] + closings + data[end:]


def indent(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Indent every line one step deeper than the one before."""
    step = random.choice((b" ", b"  ", b"\t", b"> ", b"- ", b"* "))
    lines = data.split(b"\n") * random.choice((1, 1, 10))
    return b"\n".join(step * min(n, 600) + line for n, line in enumerate(lines))[:_MOST_BYTES]


ANY: tuple[Mutation, ...] = (
    truncate, flip_bits, overwrite, delete, insert, repeat, splice, swap_magic,
)  # fmt: skip
TEXT: tuple[Mutation, ...] = (
    oddity, encode_again, shuffle_lines, long_line, nest, indent, change_number,
)  # fmt: skip


def _place(random: Random, data: bytes) -> int:
    return random.randrange(len(data) + 1)


def _odd(random: Random) -> bytes:
    return random.choice(_ODDITIES).encode()
