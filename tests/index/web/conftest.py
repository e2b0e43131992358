"""Sites on loopback, and fetchers that may talk to them."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator

import pytest
from tests.index.web.sites import Opener, RawServer, Site

from groundkit_index.web import Fetcher


@pytest.fixture
def site() -> Iterator[Site]:
    running = Site()
    yield running
    running.close()


@pytest.fixture
def opener() -> Iterator[Opener]:
    made = Opener()
    yield made
    for fetcher in made.opened:
        fetcher.close()


@pytest.fixture
def fetcher(opener: Opener) -> Fetcher:
    return opener()


@pytest.fixture
def raw() -> Iterator[Callable[[Callable[[socket.socket], None]], RawServer]]:
    running: list[RawServer] = []

    def start(speak: Callable[[socket.socket], None]) -> RawServer:
        running.append(RawServer(speak))
        return running[-1]

    yield start
    for server in running:
        server.close()


@pytest.fixture
def stopwatch() -> Callable[[], float]:
    """Returns the seconds since the test began."""
    begin = time.monotonic()
    return lambda: time.monotonic() - begin
