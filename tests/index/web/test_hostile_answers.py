"""Servers that send too much, too slowly, or something else than they say."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from tests.index.web.sites import Opener, RawServer, Site

from groundkit_index.web import Fetcher
from groundkit_index.web.decoding import decoded
from groundkit_index.web.errors import AnswerError, FetchError, StatusError, UnreachableError

Raw = Callable[[Callable[[socket.socket], None]], RawServer]
MIB = 2**20


def reason(fetcher: Fetcher, url: str, **options: Any) -> str:
    with pytest.raises(FetchError) as failure:
        fetcher.get(url, **options)
    return failure.value.reason


def encoded(site: Site, body: bytes, encoding: str) -> str:
    site.put("/a", body, headers={"Content-Encoding": encoding})
    return site.url("/a")


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


TEXT = b"<p>" + b"words and more words " * 50_000 + b"</p>"


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (TEXT, "identity"),
        (gzip.compress(TEXT), "gzip"),
        (gzip.compress(TEXT), "X-GZIP"),
        (gzip.compress(TEXT[:1000]) + gzip.compress(TEXT[1000:]), "gzip"),
        (gzip.compress(TEXT) + b"\0\0trailing", "gzip"),
        (zlib.compress(TEXT), "deflate"),
        (raw_deflate(TEXT), "deflate"),
    ],
)
def test_encodings_are_undone(site: Site, fetcher: Fetcher, body: bytes, encoding: str) -> None:
    assert fetcher.get(encoded(site, body, encoding)).body == TEXT


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, raw_deflate])
def test_a_bomb_is_refused_before_it_goes_off(
    site: Site, opener: Opener, pack: Callable[[bytes], bytes]
) -> None:
    fetcher = opener(limits={"decoded_bytes": MIB})
    bomb = pack(bytes(16 * MIB))
    assert len(bomb) < MIB / 10
    encoding = "gzip" if pack is gzip.compress else "deflate"
    assert reason(fetcher, encoded(site, bomb, encoding)) == "too_large"


@pytest.mark.parametrize(
    ("pack", "encoding"), [(gzip.compress, "gzip"), (zlib.compress, "deflate")]
)
def test_a_bomb_comes_in_small_pieces(pack: Callable[[bytes], bytes], encoding: str) -> None:
    sizes = [len(piece) for piece in decoded([pack(bytes(8 * MIB))], encoding)]
    assert sum(sizes) == 8 * MIB
    assert max(sizes) <= MIB / 4


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "compress", "gzip,deflate"])
def test_other_and_several_encodings_are_refused(
    site: Site, fetcher: Fetcher, encoding: str
) -> None:
    body = gzip.compress(gzip.compress(b"text"))
    assert reason(fetcher, encoded(site, body, encoding)) == "encoding_not_supported"


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"<p>plain</p>", "gzip"),
        (gzip.compress(TEXT)[:-20], "gzip"),
        (zlib.compress(TEXT)[:-20], "deflate"),
        (b"\xff\xff\xff", "deflate"),
    ],
)
def test_a_body_that_is_not_what_it_says_is_refused(
    site: Site, fetcher: Fetcher, body: bytes, encoding: str
) -> None:
    assert reason(fetcher, encoded(site, body, encoding)) == "broken_encoding"


def test_a_body_up_to_the_limit_is_taken(site: Site, opener: Opener) -> None:
    fetcher = opener(limits={"decoded_bytes": 1000, "wire_bytes": 1000})
    site.put("/a", bytes(1000))
    site.put("/b", bytes(1001))
    assert len(fetcher.get(site.url("/a")).body) == 1000
    assert reason(fetcher, site.url("/b")) == "too_large"


def test_the_beginning_of_a_long_body_can_be_taken(site: Site, fetcher: Fetcher) -> None:
    site.put("/a", b"0123456789" * 100_000)
    assert fetcher.get(site.url("/a"), largest=5, cut=True).body == b"01234"
    assert reason(fetcher, site.url("/a"), largest=5) == "too_large"


def test_a_body_without_end_is_cut_off(raw: Raw, opener: Opener) -> None:
    sent = 0

    def speak(connection: socket.socket) -> None:
        nonlocal sent
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while sent < 64 * MIB:
            connection.sendall(bytes(65536))
            sent += 65536

    fetcher = opener(limits={"wire_bytes": MIB, "decoded_bytes": 256 * MIB})
    assert reason(fetcher, raw(speak).url) == "too_large"
    assert sent < 32 * MIB


def test_an_announced_size_is_believed(raw: Raw, fetcher: Fetcher) -> None:
    def speak(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
        connection.sendall(b"Content-Length: 99999999999\r\n\r\n")
        connection.recv(1)

    assert reason(fetcher, raw(speak).url) == "too_large"


@pytest.mark.parametrize("part", ["head", "informational", "body"])
def test_a_slow_drip_ends_in_time(
    raw: Raw, opener: Opener, stopwatch: Callable[[], float], part: str
) -> None:
    def speak(connection: socket.socket) -> None:
        connection.sendall(b"" if part == "informational" else b"HTTP/1.1 200 OK\r\n")
        if part == "body":
            connection.sendall(b"Content-Type: text/html\r\n\r\n")
        drop = b"HTTP/1.1 103 Early Hints\r\n\r\n" if part == "informational" else b"X: y\r\n"
        while True:
            connection.sendall(drop)
            time.sleep(0.02)

    fetcher = opener(limits={"seconds": 0.3})
    assert reason(fetcher, raw(speak).url) == "too_slow"
    assert stopwatch() < 3


def test_redirects_share_the_time(site: Site, raw: Raw, opener: Opener) -> None:
    def speak(connection: socket.socket) -> None:
        time.sleep(0.25)
        place = f"http://site.test:{server.port}/{server.connections}"
        connection.sendall(
            f"HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n"
            "Connection: close\r\n\r\n".encode()
        )

    server = raw(speak)
    fetcher = opener(limits={"seconds": 0.4})
    assert reason(fetcher, server.url) == "too_slow"
    assert server.connections <= 2


def test_a_server_that_says_nothing_is_too_slow(raw: Raw, opener: Opener) -> None:
    fetcher = opener(limits={"seconds": 0.2})

    def speak(connection: socket.socket) -> None:
        connection.recv(1)

    server = raw(speak)
    assert reason(fetcher, server.url) == "too_slow"
    assert server.connections == 1


def test_a_name_server_that_says_nothing_is_too_slow(
    opener: Opener, stopwatch: Callable[[], float]
) -> None:
    done = threading.Event()

    def resolver(_: str) -> list[str]:
        done.wait(5)
        return ["127.0.0.1"]

    fetcher = opener(resolver=resolver, limits={"connect_seconds": 0.2})
    assert reason(fetcher, "http://slow.test/") == "too_slow"
    assert stopwatch() < 3
    done.set()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not HTTP at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 300_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX\x00: y\r\n\r\n",
    ],
)
def test_a_broken_answer_is_asked_for_again_and_then_given_up(
    raw: Raw, fetcher: Fetcher, opener: Opener, answer: bytes
) -> None:
    server = raw(lambda connection: connection.sendall(answer))
    with pytest.raises(UnreachableError) as failure:
        fetcher.get(server.url)
    assert failure.value.reason == "broken_off"
    assert server.connections == 3
    assert len(opener.slept) == 2


def test_an_answer_that_was_broken_off_once_comes_the_next_time(raw: Raw, fetcher: Fetcher) -> None:
    def speak(connection: socket.socket) -> None:
        if server.connections > 1:
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\ntext"
            )

    server = raw(speak)
    assert fetcher.get(server.url).body == b"text"


def test_an_upgrade_is_not_taken(raw: Raw, fetcher: Fetcher) -> None:
    def speak(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")

    with pytest.raises(FetchError) as failure:
        fetcher.get(raw(speak).url)
    assert isinstance(failure.value, StatusError | UnreachableError)


def test_what_is_refused_does_not_spoil_the_next_fetch(site: Site, opener: Opener) -> None:
    fetcher = opener(limits={"wire_bytes": 1000})
    site.put("/large", bytes(100_000))
    site.put("/image", bytes(500), type="image/png")
    site.put("/a", "one")
    for path in ("/large", "/image", "/missing"):
        with pytest.raises((AnswerError, StatusError)):
            fetcher.get(site.url(path))
        assert fetcher.get(site.url("/a")).body == b"one"
