from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from groundkit_mcp import ServiceContext
from groundkit_mcp.auth.settings import AuthSettings
from groundkit_mcp.auth.static import new_token
from groundkit_mcp.http import HttpSettings, build_app
from groundkit_mcp.http.serving import server_of

ISSUER, AUDIENCE = "https://issuer.example", "https://groundkit.example/mcp"


@dataclass(frozen=True)
class Served:
    """An application that listens on a loopback port."""

    port: int
    client: httpx2.Client
    stop: Callable[[], None]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.client.get(path, **options)

    def search(self, query: str = "zebra", **options: Any) -> httpx2.Response:
        return self.client.post("/v1/search", json={"query": query}, **options)

    def rpc(
        self, method: str, params: dict[str, Any] | None = None, /, **headers: str
    ) -> httpx2.Response:
        """Post one message of the 2025-11-25 era."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method}
        if params is not None:
            message["params"] = params
        return self.post_mcp(json.dumps(message), **headers)

    def post_mcp(self, content: str | bytes, **headers: str) -> httpx2.Response:
        given = {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        return self.client.post("/mcp", content=content, headers=given)

    def raw(self, data: bytes, timeout: float = 10.0) -> bytes:
        """Send bytes and return all that comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as connection:
            connection.sendall(data)
            received = b""
            while part := connection.recv(65536):
                received += part
            return received


@contextmanager
def serving(context: ServiceContext, settings: HttpSettings, **options: Any) -> Iterator[Served]:
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server = server_of(build_app(context, settings, **options), settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    base = f"http://127.0.0.1:{port}"

    def stop() -> None:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()

    try:
        with httpx2.Client(base_url=base, trust_env=False, timeout=20) as client:
            yield Served(port, client, stop)
    finally:
        stop()


@pytest.fixture(scope="session")
def service(index_dir: Path) -> Iterator[ServiceContext]:
    context = ServiceContext(index_dir)
    yield context
    context.close()


@pytest.fixture(scope="session")
def open_service(service: ServiceContext) -> Iterator[Served]:
    """Without authentication, on loopback."""
    with serving(service, HttpSettings()) as served:
        yield served


@pytest.fixture
def start_service(service: ServiceContext) -> Iterator[Callable[..., Served]]:
    with ExitStack() as stack:

        def start(context: ServiceContext | None = None, **options: Any) -> Served:
            more = {n: options.pop(n) for n in ("operations", "layers") if n in options}
            settings = HttpSettings(**options)
            return stack.enter_context(serving(context or service, settings, **more))

        yield start


@dataclass
class Issuer:
    """An authorization server's keys."""

    rsa_key: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )
    ec_key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    @property
    def pem(self) -> bytes:
        public = self.rsa_key.public_key()
        return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    @property
    def jwks(self) -> dict[str, Any]:
        rsa_member = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.rsa_key.public_key()))
        ec_member = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.ec_key.public_key()))
        return {"keys": [{**rsa_member, "kid": "r", "alg": "RS256"}, {**ec_member, "kid": "e"}]}

    def claims(self, **changes: Any) -> dict[str, Any]:
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": "alice",
            "exp": now + 300,
            "scope": "search read",
            **changes,
        }
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, *, kid: str | None = "r", algorithm: str = "RS256", **changes: Any) -> str:
        key: Any = self.ec_key if algorithm == "ES256" else self.rsa_key
        headers = {"kid": kid} if kid else {}
        return jwt.encode(self.claims(**changes), key, algorithm=algorithm, headers=headers)


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer()


@dataclass(frozen=True)
class Guarded(Served):
    """A service that asks for tokens: static ones and those of an issuer."""

    tokens: dict[str, str] = field(default_factory=dict)

    def bearer(self, name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens[name]}"}


@pytest.fixture(scope="session")
def guarded(
    service: ServiceContext, issuer: Issuer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Guarded]:
    folder = tmp_path_factory.mktemp("auth")
    made = {
        "both": new_token("ci", ["search", "read"]),
        "read": new_token("reader", ["read"]),
        "search": new_token("searcher", ["search"]),
        "none": new_token("nobody", []),
    }
    (folder / "tokens.toml").write_text("\n".join(lines for _, lines in made.values()))
    (folder / "jwks.json").write_text(json.dumps(issuer.jwks))
    auth = AuthSettings(
        tokens=folder / "tokens.toml",
        keys=str(folder / "jwks.json"),
        issuer=ISSUER,
        audience=AUDIENCE,
    )
    tokens = {name: token for name, (token, _) in made.items()}
    with serving(service, HttpSettings(auth=auth)) as served:
        yield Guarded(served.port, served.client, served.stop, tokens)
