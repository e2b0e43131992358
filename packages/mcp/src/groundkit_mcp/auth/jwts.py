"""Bearer tokens that an authorization server has signed."""

from __future__ import annotations

from typing import Any

import jwt

from groundkit_core.access import Principal
from groundkit_mcp.auth.caller import Caller
from groundkit_mcp.auth.keys import KeySource

_LEEWAY_SECONDS = 30
_LONGEST = 16_384
_REQUIRED = ["exp", "iss", "aud", "sub"]


class JwtTokens:
    """JSON web tokens of one issuer for one audience.

    Args:
        keys: where the issuer's public keys come from; a key decides which algorithms count.
        issuer: what `iss` must be.
        audience: what `aud` must be or contain.
    """

    def __init__(self, keys: KeySource, *, issuer: str, audience: str) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audience = audience

    async def caller_of(self, token: str) -> Caller | None:
        """Return whose token it is; None when it is not valid, for whatever reason.

        Raises:
            KeysUnavailableError: the keys cannot be had.
        """
        if len(token) > _LONGEST:
            return None
        try:
            key_id = jwt.get_unverified_header(token).get("kid")
        except (jwt.PyJWTError, ValueError, RecursionError):
            return None
        found = await self._keys.key(key_id if isinstance(key_id, str) else None)
        if found is None:
            return None
        try:
            claims = jwt.decode(
                token,
                found.key,
                algorithms=list(found.algorithms),
                audience=self._audience,
                issuer=self._issuer,
                leeway=_LEEWAY_SECONDS,
                options={"require": _REQUIRED},
            )
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError):
            return None
        return _caller(claims)


def _caller(claims: dict[str, Any]) -> Caller | None:
    subject = claims["sub"]
    if not isinstance(subject, str) or not subject:
        return None
    return Caller(Principal.of(subject, claims), _scopes(claims))


def _scopes(claims: dict[str, Any]) -> frozenset[str]:
    """Return `scope` (RFC 9068) or `scp`, as a text with spaces or as a list."""
    given = claims.get("scope", claims.get("scp", ""))
    parts = given.split() if isinstance(given, str) else given
    return frozenset(part for part in parts if isinstance(part, str)) if parts else frozenset()
