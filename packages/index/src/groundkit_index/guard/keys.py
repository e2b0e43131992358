"""Private keys in PEM form, plain or inside base64."""

from __future__ import annotations

import base64
import re

from groundkit_index.guard.placeholders import entropy, looks_generated

# An Ed25519 key has 64 base64 digits; the first 52 of an RSA key are the same for every key.
_MIN_DIGITS = 60
_MIN_ENTROPY = 3.5
_WINDOW = 2_000

PEM = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    # line ends, also escaped, and what source code puts around lines of a string
    r"(?:\\[nrt]|[\s\"'`+<>,.|()\[\]{}*#&;$\\-]){0,120}"
    r"(?:[A-Z][A-Za-z-]{2,20}: [^\r\n\\]{1,200}(?:\\[nr]|[\s\"'+,\\]){1,60}){0,6}"
    r"(?P<value>[A-Za-z0-9+/]{32})"
)
BASE64_PEM = re.compile(r"(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi(?P<value>[A-Za-z0-9+/]{100,4000})")
_BODY = re.compile(r"[A-Za-z0-9+/]{16,}")

MODEL_KEY = re.compile(r"(?<![\w-])sk-(?P<value>[A-Za-z0-9_-]{20,256})")
_MODEL_KEY_BODY = re.compile(r"[A-Za-z0-9_]{20,}")


def is_private_key(match: re.Match[str]) -> bool:
    """Confirm a `PEM` match: enough base64 follows to hold a key."""
    start = match.start("value")
    body, _, _ = match.string[start : start + _WINDOW].partition("-----")
    digits = "".join(_BODY.findall(body))
    return len(digits) >= _MIN_DIGITS and entropy(digits) >= _MIN_ENTROPY


def is_encoded_private_key(match: re.Match[str]) -> bool:
    """Confirm a `BASE64_PEM` match: what is encoded is a private key."""
    return b"PRIVATE KEY-----" in base64.b64decode("LS0tLS1CRUdJTi" + match["value"][:50])


def is_model_key(match: re.Match[str]) -> bool:
    """Confirm a `MODEL_KEY` match: it has a long random part, unlike a slug."""
    return any(looks_generated(part) for part in _MODEL_KEY_BODY.findall(match["value"]))
