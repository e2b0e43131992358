"""Bearer tokens that are listed in a file, by their hash."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundkit_core.access import Principal
from groundkit_mcp.auth.caller import Caller
from groundkit_mcp.auth.files import WatchedFile

PREFIX = "gk_"
_RANDOM_BYTES = 32
_SUBJECT = r"^[\w.@:/+-]{1,200}$"


class _Entry(BaseModel):
    """One `[[token]]` of the file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    subject: str = Field(pattern=_SUBJECT)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    scopes: list[str] = Field(default_factory=list)
    claims: dict[str, str | list[str]] = Field(default_factory=dict)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    token: list[_Entry]


@dataclass(frozen=True, slots=True)
class _Known:
    digest: bytes
    caller: Caller


class StaticTokens:
    """The tokens of a file; a change of the file counts from the next request on.

    Args:
        path: TOML with one `[[token]]` each: `subject`, `sha256`, `scopes`, `claims`.

    Raises:
        SettingsError: the file is unusable.
    """

    def __init__(self, path: Path) -> None:
        self._file = WatchedFile(path, _parsed)

    async def caller_of(self, token: str) -> Caller | None:
        """Return whose token it is, in a time that does not depend on how much of it is right."""
        digest = hashlib.sha256(token.encode()).digest()
        found = None
        for known in self._file.value():
            if hmac.compare_digest(known.digest, digest):
                found = known.caller
        return found


def new_token(subject: str, scopes: Sequence[str]) -> tuple[str, str]:
    """Return a fresh token and the lines that make it known; the token is stored nowhere.

    Raises:
        ValueError: the subject has other characters than a name, an address or a path.
    """
    if not re.match(_SUBJECT, subject):
        raise ValueError("a subject has 1-200 letters, digits or . @ : / + - _")
    token = PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
    listed = ", ".join(f'"{scope}"' for scope in scopes)
    digest = hashlib.sha256(token.encode()).hexdigest()
    lines = f'[[token]]\nsubject = "{subject}"\nsha256 = "{digest}"\nscopes = [{listed}]\n'
    return token, lines


def add_lines(path: Path, lines: str) -> None:
    """Add the lines of a token to a file; a new file belongs to its owner alone.

    Raises:
        OSError: it cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"\n{lines}")


def _parsed(content: bytes) -> tuple[_Known, ...]:
    try:
        loaded: dict[str, Any] = tomllib.loads(content.decode())
        entries = _File.model_validate(loaded).token
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{place}: {first['msg']}") from None
    except ValueError:
        raise ValueError("not TOML in UTF-8") from None
    return tuple(
        _Known(
            bytes.fromhex(entry.sha256),
            Caller(Principal.of(entry.subject, entry.claims), frozenset(entry.scopes)),
        )
        for entry in entries
    )
