"""HTTPS is verified for the name, although the connection goes to an address."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.index.web.sites import Opener, Site

from groundkit_index.web.errors import ForbiddenError, UnreachableError


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for `site.test` and 127.0.0.1 with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "site.test")])
    now = datetime.now(UTC)
    names = [x509.DNSName("site.test"), x509.IPAddress(ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "site.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


class Secured:
    """A site over HTTPS that notes which name was asked for in the handshake."""

    def __init__(self, certificate: Path) -> None:
        self.names: list[str | None] = []
        self.place = "https://site.test/"
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        context.sni_callback = lambda _, name, __: self.names.append(name)
        self._http.socket = context.wrap_socket(
            self._http.socket, server_side=True, do_handshake_on_connect=False
        )
        self.port = self._http.server_port
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def url(self, host: str, path: str = "/") -> str:
        return f"https://{host}:{self.port}{path}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        secured = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                away = self.path == "/away"
                self.send_response(302 if away else 200)
                self.send_header("Content-Type", "text/plain")
                if away:
                    self.send_header("Location", secured.place)
                self.end_headers()
                self.wfile.write(b"secured")

            def log_message(self, *_: Any) -> None:
                pass

        return Handler

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture
def secured(certificate: Path) -> Iterator[Secured]:
    running = Secured(certificate)
    yield running
    running.close()


@pytest.fixture
def trusting(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate))


def test_the_certificate_is_verified_for_the_name(
    secured: Secured, opener: Opener, trusting: ssl.SSLContext
) -> None:
    fetcher = opener(tls=trusting)
    assert fetcher.get(secured.url("site.test")).body == b"secured"
    assert secured.names == ["site.test"]


def test_a_certificate_of_another_name_is_refused(
    secured: Secured, opener: Opener, trusting: ssl.SSLContext
) -> None:
    with pytest.raises(UnreachableError) as failure:
        opener(tls=trusting).get(secured.url("other.test"))
    assert failure.value.reason == "bad_certificate"


def test_a_certificate_of_nobody_is_refused_whatever_the_environment_says(
    secured: Secured, opener: Opener, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with pytest.raises(UnreachableError) as failure:
        opener().get(secured.url("site.test"))
    assert failure.value.reason == "bad_certificate"


def test_a_redirect_from_https_to_http_is_refused(
    secured: Secured, site: Site, opener: Opener, trusting: ssl.SSLContext
) -> None:
    secured.place = site.url("/", host="site.test")
    with pytest.raises(ForbiddenError) as refusal:
        opener(tls=trusting).get(secured.url("site.test", "/away"))
    assert refusal.value.reason == "downgrade"
    assert site.requests == []


def test_a_redirect_from_http_to_https_is_followed(
    secured: Secured, site: Site, opener: Opener, trusting: ssl.SSLContext
) -> None:
    site.redirect("/a", secured.url("site.test"), 301)
    assert opener(tls=trusting).get(site.url("/a")).body == b"secured"


def test_plain_http_on_a_port_of_https_is_no_answer(
    site: Site, opener: Opener, trusting: ssl.SSLContext
) -> None:
    with pytest.raises(UnreachableError):
        opener(tls=trusting).get(f"https://site.test:{site.port}/")
