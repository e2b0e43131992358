"""Nothing of the user's goes along: no proxy, password, cookie or certificate."""

from __future__ import annotations

import logging
import socket
from pathlib import Path

import pytest
from tests.index.web.sites import Opener, Reply, Site

from groundkit_index.web import Fetcher


@pytest.fixture
def dead_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def test_proxies_of_the_environment_are_ignored(
    site: Site, opener: Opener, dead_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{dead_port}")
        monkeypatch.setenv(name.lower(), f"http://127.0.0.1:{dead_port}")
    monkeypatch.setenv("NO_PROXY", "")
    site.put("/", "one")
    assert opener().get(site.url()).body == b"one"


def test_netrc_is_ignored(
    site: Site, opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("default login someone password hunter2\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))
    site.put("/", "one")
    opener().get(site.url())
    assert "authorization" not in site.requests[0].headers


def test_cookies_are_not_kept(site: Site, fetcher: Fetcher) -> None:
    cookie = {"Set-Cookie": "session=hunter2; Path=/"}
    site.pages["/a"] = Reply(status=302, headers={"Location": "/b", **cookie})
    site.put("/b", "one", headers=cookie)
    fetcher.get(site.url("/a"))
    fetcher.get(site.url("/b"))
    assert len(site.requests) == 3
    assert not any("cookie" in request.headers for request in site.requests)


def test_a_challenge_is_not_answered(site: Site, fetcher: Fetcher) -> None:
    site.put("/a", status=401, headers={"WWW-Authenticate": 'Basic realm="x"'})
    with pytest.raises(Exception, match="http_401"):
        fetcher.get(site.url("/a"))
    assert len(site.requests) == 1


def test_logs_do_not_hold_the_query(
    site: Site, fetcher: Fetcher, caplog: pytest.LogCaptureFixture
) -> None:
    site.put("/a?token=hunter2", "one")
    with caplog.at_level(logging.INFO):
        fetcher.get(site.url("/a?token=hunter2"))
    assert "hunter2" not in caplog.text
