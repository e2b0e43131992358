"""The public keys that tokens are signed with: from a file, or fetched from an address."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx2
import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from groundkit_core.errors import SettingsError
from groundkit_mcp.auth.files import MAX_BYTES, WatchedFile
from groundkit_mcp.errors import KeysUnavailableError

_RSA = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
_CURVES = {"secp256r1": ("ES256",), "secp384r1": ("ES384",), "secp521r1": ("ES512",)}
_LEAST_RSA_BITS = 2048
_SECONDS = 5.0
_FRESH_SECONDS = 300.0
_PAUSE_SECONDS = 30.0
_STALE_SECONDS = 3600.0

_log = logging.getLogger("groundkit_mcp.auth")


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A public key and the algorithms that it may be used with, none of them symmetric."""

    key: Any
    algorithms: tuple[str, ...]


KeyTable = Mapping[str | None, VerifyingKey]
"""Key id -> key; a key without an id is under None."""


class KeySource(Protocol):
    """Where keys come from."""

    async def key(self, key_id: str | None) -> VerifyingKey | None:
        """Return a key by the id that a token names; None when there is none."""


class FileKeys:
    """A PEM public key or a JWKS document in a file.

    Raises:
        SettingsError: it holds no usable public key.
    """

    def __init__(self, path: Path) -> None:
        self._file = WatchedFile(path, parse_keys)

    async def key(self, key_id: str | None) -> VerifyingKey | None:
        """Return a key by its id."""
        return _pick(self._file.value(), key_id)


class RemoteKeys:
    """A JWKS document at an address, fetched when it is needed and kept for five minutes.

    An id that is not known makes it look again, at the most every 30 seconds. When the address
    does not answer, keys are good for an hour.

    Args:
        url: https, or http to a loopback address.

    Raises:
        SettingsError: any other address.
    """

    def __init__(self, url: str) -> None:
        _check_url(url)
        self._url = url
        self._table: KeyTable | None = None
        self._fetched = self._tried = float("-inf")
        self._lock = asyncio.Lock()

    async def key(self, key_id: str | None) -> VerifyingKey | None:
        """Return a key by its id.

        Raises:
            KeysUnavailableError: the address gave none, now or in the last hour.
        """
        if self._due(key_id):
            async with self._lock:
                if self._due(key_id):
                    await self._refresh()
        if self._table is None or time.monotonic() - self._fetched > _STALE_SECONDS:
            raise KeysUnavailableError("the signing keys cannot be had; try again in a few seconds")
        return _pick(self._table, key_id)

    def _due(self, key_id: str | None) -> bool:
        now = time.monotonic()
        if self._table is None:
            return now - self._tried > 1.0
        if now - self._tried < _PAUSE_SECONDS:
            return False
        return now - self._fetched > _FRESH_SECONDS or _pick(self._table, key_id) is None

    async def _refresh(self) -> None:
        try:
            async with asyncio.timeout(_SECONDS):
                self._table = parse_keys(await _fetched(self._url))
            self._fetched = time.monotonic()
        except (httpx2.HTTPError, ValueError, OSError, TimeoutError) as error:
            _log.warning("signing keys cannot be fetched: %s", type(error).__name__)
        finally:
            self._tried = time.monotonic()


def parse_keys(content: bytes) -> KeyTable:
    """Return the public keys of a PEM file or a JWKS document.

    Raises:
        ValueError: there is none that may verify a token.
    """
    if content.lstrip().startswith(b"-----BEGIN"):
        try:
            return {None: _verifying(load_pem_public_key(content), None)}
        except (ValueError, TypeError):
            raise ValueError("not a PEM public key that may verify tokens") from None
    return _parsed_set(content)


def _parsed_set(content: bytes) -> KeyTable:
    try:
        members = json.loads(content)["keys"]
        candidates = [m for m in members if m.get("use", "sig") == "sig" and m["kty"] != "oct"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ValueError("neither a PEM public key nor a JWKS document") from None
    table: dict[str | None, VerifyingKey] = {}
    for member in candidates:
        try:
            loaded = jwt.PyJWK.from_dict({k: v for k, v in member.items() if k != "d"})
            table[member.get("kid")] = _verifying(loaded.key, member.get("alg"))
        except (jwt.PyJWTError, ValueError, TypeError):
            continue  # a kind of key that is not known here
    if not table:
        raise ValueError("no public key that may verify tokens")
    return table


def _verifying(key: Any, algorithm: object) -> VerifyingKey:
    possible = _algorithms(key)
    if algorithm is not None:
        possible = tuple(name for name in possible if name == algorithm)
    if not possible:
        raise ValueError("no algorithm for this key")
    return VerifyingKey(key, possible)


def _algorithms(key: Any) -> tuple[str, ...]:
    if isinstance(key, rsa.RSAPublicKey):
        return _RSA if key.key_size >= _LEAST_RSA_BITS else ()
    if isinstance(key, ec.EllipticCurvePublicKey):
        return _CURVES.get(key.curve.name, ())
    return ("EdDSA",) if isinstance(key, (ed25519.Ed25519PublicKey, ed448.Ed448PublicKey)) else ()


def _pick(table: KeyTable, key_id: str | None) -> VerifyingKey | None:
    """Return the key of that id; the only key there is answers to a token that names none."""
    if key_id is not None and key_id in table:
        return table[key_id]
    if key_id is None or None in table:
        return next(iter(table.values())) if len(table) == 1 else None
    return None


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        raise SettingsError("the address of the keys is not a URL") from None
    if parts.username or parts.password:
        raise SettingsError("the address of the keys must carry no credentials")
    if parts.scheme == "https" and host:
        return
    if parts.scheme == "http" and _is_loopback(host):
        return
    raise SettingsError("the address of the keys must be https, or http to a loopback address")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _fetched(url: str) -> bytes:
    client = httpx2.AsyncClient(trust_env=False, follow_redirects=False, timeout=_SECONDS)
    async with client, client.stream("GET", url, headers={"accept": "application/json"}) as answer:
        if answer.status_code != httpx2.codes.OK:
            raise ValueError("not the keys")
        content = bytearray()
        async for part in answer.aiter_bytes():
            content += part
            if len(content) > MAX_BYTES:
                raise ValueError("too long")
    return bytes(content)
