"""JSON Web Tokens (RFC 7519) that are signed and stay valid."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

_PART = r"[A-Za-z0-9_-]"
JWT = re.compile(
    rf"(?<![\w-])(?P<header>eyJ{_PART}{{8,2000}}+)\.(?P<payload>eyJ{_PART}{{8,8000}}+)"
    rf"\.{_PART}{{43,2000}}+"
)
_LASTING_SECONDS = 86_400
_CLAIMS = frozenset({"aud", "exp", "iat", "iss", "jti", "nbf", "sub"})
_EXAMPLE = re.compile(rb"1234567890|\b(?:john|jane)[ ._]?doe\b|example|\bfoo\b", re.IGNORECASE)


def is_lasting_token(match: re.Match[str]) -> bool:
    """Confirm a `JWT` match.

    A token that was issued for a day or less is dead by the time that it stands in a document;
    one without a registered claim, for `John Doe`, or with the subject `1234567890` is from a
    manual.
    """
    header, payload = _decode(match["header"]), _decode(match["payload"])
    claims = _object(payload)
    if _CLAIMS.isdisjoint(claims) or _EXAMPLE.search(payload):
        return False
    return _is_signed(_object(header)) and not _is_brief(claims)


def _is_signed(header: dict[str, Any]) -> bool:
    algorithm = header.get("alg")
    return isinstance(algorithm, str) and algorithm.lower() != "none"


def _is_brief(claims: dict[str, Any]) -> bool:
    issued = claims.get("iat", claims.get("nbf"))
    expires = claims.get("exp")
    if not isinstance(issued, float) or not isinstance(expires, float):
        return False
    return 0 <= expires - issued <= _LASTING_SECONDS


def _decode(part: str) -> bytes:
    # One character more than a multiple of four is no base64; it is dropped with the padding.
    whole = len(part) - (len(part) % 4 == 1)
    return base64.urlsafe_b64decode(part[:whole] + "=" * (-whole % 4))


def _object(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_int=float)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
