"""How callers prove who they are; from flags and the environment only, never from a file beside."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from groundkit_core.errors import SettingsError
from groundkit_mcp.auth.bearer import Authenticator, Tokens


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """What the operator has configured.

    Attributes:
        tokens: a file of static tokens.
        keys: a PEM public key or a JWKS document, as a file or an address.
        issuer: the authorization server; needed with `keys`.
        audience: whom its tokens are for; needed with `keys`.
    """

    tokens: Path | None = None
    keys: str | None = None
    issuer: str | None = None
    audience: str | None = None

    @property
    def configured(self) -> bool:
        """Whether anything is."""
        return any((self.tokens, self.keys, self.issuer, self.audience))


def authenticator_of(settings: AuthSettings) -> Authenticator | None:
    """Return what checks tokens; None when nothing is configured.

    Raises:
        SettingsError: half of it is missing, or a file is unusable.
    """
    if not settings.configured:
        return None
    verifiers: list[Tokens] = []
    if settings.tokens is not None:
        from groundkit_mcp.auth.static import StaticTokens

        verifiers.append(StaticTokens(settings.tokens.expanduser()))
    if settings.keys or settings.issuer or settings.audience:
        verifiers.append(_jwt_tokens(settings))
    return Authenticator(verifiers)


def _jwt_tokens(settings: AuthSettings) -> Tokens:
    from groundkit_mcp.auth.jwts import JwtTokens
    from groundkit_mcp.auth.keys import FileKeys, RemoteKeys

    if not (settings.keys and settings.issuer and settings.audience):
        raise SettingsError("--auth-keys, --auth-issuer and --auth-audience go together")
    remote = "://" in settings.keys
    keys = RemoteKeys(settings.keys) if remote else FileKeys(Path(settings.keys).expanduser())
    return JwtTokens(keys, issuer=settings.issuer, audience=settings.audience)
