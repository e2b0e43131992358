"""Which JSON web tokens count, and where their keys come from."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from groundkit_core.errors import SettingsError
from groundkit_mcp.auth.jwts import JwtTokens
from groundkit_mcp.auth.keys import FileKeys, RemoteKeys, parse_keys
from groundkit_mcp.errors import KeysUnavailableError

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Guarded, Issuer

    from groundkit_mcp.auth.caller import Caller

ISSUER, AUDIENCE = "https://issuer.example", "https://groundkit.example/mcp"


def encoded(part: object) -> str:
    data = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed_by_hand(header: dict[str, Any], claims: dict[str, Any], key: bytes | None) -> str:
    body = f"{encoded(header)}.{encoded(claims)}"
    signature = b"" if key is None else hmac.new(key, body.encode(), hashlib.sha256).digest()
    return f"{body}.{encoded(signature)}"


def wrong(issuer: Issuer) -> dict[str, str]:
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    now, claims = int(time.time()), issuer.claims()
    good = issuer.token()
    head, _, rest = good.partition(".")
    return {
        "audience": issuer.token(aud="https://other.example"),
        "no audience": issuer.token(aud=None),
        "issuer": issuer.token(iss="https://evil.example"),
        "no issuer": issuer.token(iss=None),
        "expired": issuer.token(exp=now - 60),
        "no expiry": issuer.token(exp=None),
        "endless expiry": issuer.token(exp="never"),
        "not yet": issuer.token(nbf=now + 600),
        "no subject": issuer.token(sub=None),
        "empty subject": issuer.token(sub=""),
        "unknown key": issuer.token(kid="x"),
        "key of another kind": issuer.token(kid="e"),
        "algorithm beside the key's": issuer.token(algorithm="RS512"),
        "signed by another": jwt.encode(claims, other, algorithm="RS256", headers={"kid": "r"}),
        "alg none": signed_by_hand({"alg": "none", "kid": "r"}, claims, None),
        "alg None": signed_by_hand({"alg": "None", "kid": "r"}, claims, None),
        "HS256 with the public key": signed_by_hand(
            {"alg": "HS256", "typ": "JWT", "kid": "r"}, claims, issuer.pem
        ),
        "own key in the header": signed_by_hand(
            {"alg": "HS256", "jwk": {"kty": "oct", "k": "a2V5"}}, claims, b"key"
        ),
        "changed claims": f"{head}.{encoded({**claims, 'sub': 'root'})}.{rest.partition('.')[2]}",
        "no signature": good.rpartition(".")[0] + ".",
        "two parts": good.rpartition(".")[0],
        "critical extension": jwt.encode(
            claims, issuer.rsa_key, "RS256", headers={"kid": "r", "crit": ["x"], "x": 1}
        ),
        "key id of another type": signed_by_hand({"alg": "RS256", "kid": ["r"]}, claims, b"x"),
        "deep header": f"{encoded(b'[' * 5000)}.e30.e30",
    }


def test_wrong_tokens_are_refused_alike(guarded: Guarded, issuer: Issuer) -> None:
    bodies = set()
    for name, token in wrong(issuer).items():
        answer = guarded.search(headers={"authorization": f"Bearer {token}"})
        assert answer.status_code == 401, name
        body = answer.json()
        assert body.pop("request_id")
        bodies.add(json.dumps(body))
        assert 'error="invalid_token"' in answer.headers["www-authenticate"], name
    assert len(bodies) == 1


def test_a_small_difference_of_clocks_is_allowed(guarded: Guarded, issuer: Issuer) -> None:
    token = issuer.token(exp=int(time.time()) - 5)
    assert guarded.search(headers={"authorization": f"Bearer {token}"}).status_code == 200


def caller_of(keys: Any, token: str) -> Caller | None:
    return asyncio.run(JwtTokens(keys, issuer=ISSUER, audience=AUDIENCE).caller_of(token))


@pytest.mark.parametrize("scopes", [{"scope": "read other"}, {"scope": None, "scp": ["read"]}])
def test_subject_claims_and_scopes_are_taken_over(
    issuer: Issuer, tmp_path: Path, scopes: dict[str, Any]
) -> None:
    (tmp_path / "key.pem").write_bytes(issuer.pem)
    token = issuer.token(kid=None, aud=[AUDIENCE, "other"], groups=["docs", 7], **scopes)
    caller = caller_of(FileKeys(tmp_path / "key.pem"), token)
    assert caller is not None
    assert caller.principal.subject == "alice"
    assert caller.principal.holds("groups", "docs")
    assert caller.may("read")
    assert not caller.may("search")
    assert not caller.local


def test_a_changed_key_file_counts_at_once(issuer: Issuer, tmp_path: Path) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps(issuer.jwks))
    keys = FileKeys(path)
    assert caller_of(keys, issuer.token()) is not None
    path.write_text(json.dumps({"keys": issuer.jwks["keys"][1:]}))
    assert caller_of(keys, issuer.token()) is None
    path.write_text("broken")
    with pytest.raises(SettingsError, match=r"jwks\.json"):
        caller_of(keys, issuer.token())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b'{"keys": []}',
        b'{"keys": [{"kty": "oct", "k": "a2V5", "kid": "r"}]}',
        b'{"keys": [7]}',
        b'{"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": "r"}]}',
        b"-----BEGIN PUBLIC KEY-----\nbm90\n-----END PUBLIC KEY-----\n",
    ],
)
def test_no_usable_public_key_is_an_error(content: bytes) -> None:
    with pytest.raises(ValueError, match="key"):
        parse_keys(content)


class KeyServer:
    """Serves a JWKS document on loopback, as told."""

    def __init__(self, document: bytes) -> None:
        self.document, self.status, self.location, self.asked = document, 200, "", 0
        self.headers: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked += 1
                outer.headers += map(str.lower, self.headers)
                self.send_response(outer.status)
                if outer.location:
                    self.send_header("location", outer.location)
                self.send_header("content-length", str(len(outer.document)))
                self.end_headers()
                self.wfile.write(outer.document)

            def log_message(self, *_arguments: object) -> None: ...

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/jwks"
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def key_server(issuer: Issuer) -> Iterator[KeyServer]:
    server = KeyServer(json.dumps(issuer.jwks).encode())
    yield server
    server.close()


def test_fetched_keys_are_kept(key_server: KeyServer, issuer: Issuer) -> None:
    tokens = JwtTokens(RemoteKeys(key_server.url), issuer=ISSUER, audience=AUDIENCE)

    async def several() -> list[Caller | None]:
        found = [tokens.caller_of(issuer.token(kid=kid)) for kid in ("r", "r", "r", "x", "y")]
        return await asyncio.gather(*found)

    found = asyncio.run(several())
    assert [caller is not None for caller in found] == [True, True, True, False, False]
    assert key_server.asked == 1


def _too_long(server: KeyServer) -> None:
    server.document = b" " * (2**20 + 1) + server.document


def _redirect(server: KeyServer) -> None:
    server.status, server.location = 302, server.url + "2"


def _failing(server: KeyServer) -> None:
    server.status = 500


@pytest.mark.parametrize("break_it", [_too_long, _redirect, _failing])
def test_keys_that_cannot_be_had_are_not_an_invalid_token(
    key_server: KeyServer, issuer: Issuer, break_it: Callable[[KeyServer], None]
) -> None:
    break_it(key_server)
    with pytest.raises(KeysUnavailableError):
        caller_of(RemoteKeys(key_server.url), issuer.token())
    assert key_server.asked == 1


def test_proxies_of_the_environment_are_ignored(
    key_server: KeyServer, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert caller_of(RemoteKeys(key_server.url), issuer.token()) is not None


def test_credentials_of_a_netrc_file_are_not_sent(
    key_server: KeyServer, issuer: Issuer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ann password secret\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert caller_of(RemoteKeys(key_server.url), issuer.token()) is not None
    assert "host" in key_server.headers
    assert "authorization" not in key_server.headers


def test_a_fetch_resolves_its_host_once_and_kept_keys_resolve_nothing(
    key_server: KeyServer, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, resolve = [], socket.getaddrinfo

    def counting(host: Any, *rest: Any, **options: Any) -> Any:
        asked.append(host)
        return resolve(host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", counting)
    keys = RemoteKeys(key_server.url.replace("127.0.0.1", "localhost"))

    async def twice() -> list[object]:
        return [await keys.key("r"), await keys.key("r")]

    assert None not in asyncio.run(twice())
    assert key_server.asked == 1
    assert [name for name in asked if name in ("localhost", b"localhost")] == asked[:1]
