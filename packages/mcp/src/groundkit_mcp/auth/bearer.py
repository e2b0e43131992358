"""Takes the bearer token from a request's headers (RFC 6750) and asks whose it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from groundkit_mcp.auth.caller import Caller
from groundkit_mcp.errors import AuthenticationError

_BEARER = re.compile(r"bearer ([A-Za-z0-9._~+/-]+=*)", re.IGNORECASE)


class Tokens(Protocol):
    """One kind of token."""

    async def caller_of(self, token: str) -> Caller | None:
        """Return whose token it is; None when it is not one of these, or not valid."""


class Authenticator:
    """Finds out who asks.

    Args:
        kinds: the kinds of token that count.
    """

    def __init__(self, kinds: Sequence[Tokens]) -> None:
        self._kinds = tuple(kinds)

    async def caller_of(self, authorization: Sequence[str]) -> Caller:
        """Return who asks.

        Args:
            authorization: the values of every `Authorization` header.

        Raises:
            AuthenticationError: there is no token, more than one, or one that is not valid.
        """
        if not authorization:
            raise AuthenticationError
        if len(authorization) > 1:
            raise AuthenticationError("invalid_request")
        presented = _BEARER.fullmatch(authorization[0])
        if presented is None:
            raise AuthenticationError("invalid_request")
        for kind in self._kinds:
            caller = await kind.caller_of(presented[1])
            if caller is not None:
                return caller
        raise AuthenticationError("invalid_token")
