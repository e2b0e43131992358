from __future__ import annotations

import hashlib
import http.client
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from dulwich.object_format import SHA1
from dulwich.objects import Blob, Commit, ObjectID, Tag, Tree
from dulwich.pack import pack_object_header
from dulwich.refs import Ref
from dulwich.repo import Repo
from dulwich.server import BackendRepo, DictBackend
from dulwich.web import make_wsgi_chain

from groundkit_core.errors import DocumentRefusedError, SourceError
from groundkit_index.sources.git import (
    FetchLimits,
    GitTree,
    GitUrl,
    Response,
    fetch_repository,
    parse_git_url,
)
from groundkit_index.sources.git.incoming import store_pack

App = Callable[..., object]
MAX = 100_000


class Answer:
    """A response of the standard library as the `Response` that the fetch wants."""

    def __init__(self, connection: http.client.HTTPConnection, url: str) -> None:
        self._connection = connection
        self._response = connection.getresponse()
        self.status = self._response.status
        self.url = url
        self.headers = {key.lower(): value for key, value in self._response.getheaders()}

    def read(self, size: int) -> bytes:
        return self._response.read(min(size, 1000))

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class LoopbackOpener:
    """Sends requests to loopback and remembers them."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> Response:
        self.sent.append((method, url))
        parts = urlsplit(url)
        assert parts.hostname == "127.0.0.1"
        connection = http.client.HTTPConnection(parts.netloc, timeout=10)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        connection.request(method, path, body, dict(headers))
        answer = Answer(connection, url)
        if method == "GET" and answer.status == 302:
            location = answer.headers["location"]
            answer.close()
            return self("GET", location, headers, None)
        return answer


def serving(path: str, repo: Repo) -> DictBackend:
    repositories: dict[str, BackendRepo] = {path: repo}
    return DictBackend(repositories)


class Quiet(WSGIRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def serve() -> Iterator[Callable[[App], str]]:
    """Serves WSGI applications on loopback, each at an address of its own."""
    running = []

    def start(app: App) -> str:
        server = make_server("127.0.0.1", 0, app, handler_class=Quiet)  # type: ignore[arg-type]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Repo]:
    """A repository with two commits on `main`, a tag on the first, and a branch."""
    (tmp_path / "remote").mkdir()
    repo = Repo.init_bare(tmp_path / "remote")
    parents: list[ObjectID] = []
    for n in (1, 2):
        blob, inner, top, commit = Blob.from_string(b"%d\n" % n), Tree(), Tree(), Commit()
        inner.add(b"a.md", 0o100644, blob.id)
        top.add(b"docs", 0o040000, inner.id)
        top.add(b"large.bin", 0o100644, Blob.from_string(bytes(range(256)) * 100 * n).id)
        commit.tree, commit.parents = top.id, parents
        commit.author = commit.committer = b"A <a@example.org>"
        commit.author_time = commit.commit_time = n
        commit.author_timezone = commit.commit_timezone = 0
        commit.message = b"m\n"
        for found in (blob, inner, top, commit, Blob.from_string(bytes(range(256)) * 100 * n)):
            repo.object_store.add_object(found)
        parents = [commit.id]
        repo.refs[Ref(b"refs/heads/release/%d" % n)] = commit.id
    tag = Tag()
    tag.object, tag.name, tag.message = (
        (Commit, repo.refs[Ref(b"refs/heads/release/1")]),
        b"v1",
        b"1",
    )
    tag.tagger, tag.tag_time, tag.tag_timezone = b"A <a@example.org>", 0, 0
    repo.object_store.add_object(tag)
    repo.refs[Ref(b"refs/tags/v1")] = tag.id
    repo.refs[Ref(b"refs/heads/main")] = parents[0]
    repo.refs.set_symbolic_ref(Ref(b"HEAD"), Ref(b"refs/heads/main"))
    yield repo
    repo.close()


@pytest.fixture
def url(remote: Repo, serve: Callable[[App], str]) -> str:
    return serve(make_wsgi_chain(serving("/docs.git", remote))) + "/docs.git"


@pytest.mark.parametrize(
    ("ref", "text"),
    [
        (None, b"2\n"),
        ("HEAD", b"2\n"),
        ("main", b"2\n"),
        ("refs/heads/main", b"2\n"),
        ("release/1", b"1\n"),
        ("v1", b"1\n"),
    ],
)
def test_a_ref_is_fetched_without_its_history(
    url: str, tmp_path: Path, ref: str | None, text: bytes
) -> None:
    opener = LoopbackOpener()
    commit = fetch_repository(url, ref, tmp_path / "fetched", opener)
    assert {method for method, _ in opener.sent} == {"GET", "POST"}
    with GitTree.open(tmp_path / "fetched") as tree:
        assert tree.commit == commit
        assert [file.source for file in tree.scan(max_bytes=MAX).files] == ["docs/a.md"]
        assert tree.read("docs/a.md", MAX) == text
    if text == b"2\n":
        with pytest.raises(SourceError, match="unshallow"):
            GitTree.open(tmp_path / "fetched", "HEAD~1")


def test_a_commit_is_fetched_by_its_full_id(url: str, remote: Repo, tmp_path: Path) -> None:
    oid = remote.refs[Ref(b"refs/heads/release/2")].decode()
    assert fetch_repository(url, oid, tmp_path / "fetched", LoopbackOpener()) == oid


def test_what_was_fetched_is_a_repository_for_other_programs(url: str, tmp_path: Path) -> None:
    commit = fetch_repository(url, None, tmp_path / "fetched", LoopbackOpener())
    with Repo(tmp_path / "fetched") as repo:
        assert repo.head().decode() == commit
        assert repo.get_shallow() == {commit.encode()}


@pytest.mark.parametrize("ref", ["nope", "1" * 40, "abc123", "-x", "a b", "../x", "main~1", ""])
def test_a_ref_that_is_not_there_is_an_error_of_one_line(
    url: str, tmp_path: Path, ref: str
) -> None:
    with pytest.raises(SourceError) as caught:
        fetch_repository(url, ref, tmp_path / "fetched", LoopbackOpener())
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "fetched" / "HEAD").exists()


def test_a_repository_that_is_not_there_is_an_error(url: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such repository"):
        fetch_repository(url + "x", None, tmp_path / "fetched", LoopbackOpener())


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (FetchLimits(received_bytes=100), "sends too much"),
        (FetchLimits(unpacked_bytes=100), "unpacks to too much"),
        (FetchLimits(object_bytes=100), "too large"),
        (FetchLimits(objects=2), "more than 2 objects"),
        (FetchLimits(seconds=-1.0), "takes too long"),
    ],
)
def test_a_fetch_is_limited(url: str, tmp_path: Path, limits: FetchLimits, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        fetch_repository(url, None, tmp_path / "fetched", LoopbackOpener(), limits=limits)


def _answering(status: str, headers: dict[str, str], body: bytes = b"") -> App:
    def app(environ: object, start: Callable[..., object]) -> list[bytes]:
        start(status, list(headers.items()))
        return [body]

    return app


ADVERTISED = {"Content-Type": "application/x-git-upload-pack-advertisement"}


@pytest.mark.parametrize(
    ("app", "message"),
    [
        (_answering("401 Unauthorized", {"WWW-Authenticate": "Basic"}), "anybody may read"),
        (_answering("500 No", {}), "answered 500"),
        (_answering("200 OK", {"Content-Type": "text/html"}, b"<p>hello"), "no git repository"),
        (_answering("200 OK", {"Content-Type": "text/plain"}, b"x" * 99), "no git repository"),
        (_answering("200 OK", ADVERTISED, b""), "no usable answer"),
        (_answering("200 OK", ADVERTISED, b"garbage" * 99), "no usable answer"),
        (_answering("200 OK", ADVERTISED, b"000eversion 9\n0000"), "no usable answer"),
        (_answering("200 OK", ADVERTISED, b"001e# service=git-upload-pack\n0000ffff"), "usable"),
    ],
)
def test_a_server_that_speaks_no_git_is_an_error(
    serve: Callable[[App], str], tmp_path: Path, app: App, message: str
) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        fetch_repository(serve(app) + "/x", None, tmp_path / "fetched", LoopbackOpener())
    assert "\n" not in str(caught.value)


def test_refs_without_end_are_cut_off(serve: Callable[[App], str], tmp_path: Path) -> None:
    def app(environ: object, start: Callable[..., object]) -> Iterator[bytes]:
        start("200 OK", list(ADVERTISED.items()))
        yield b"001e# service=git-upload-pack\n0000"
        line = b"%040d refs/heads/" % 1 + b"x" * 60_000
        while True:
            yield b"%04x" % (len(line) + 4) + line

    with pytest.raises(SourceError, match="sends too much"):
        fetch_repository(serve(app) + "/x", None, tmp_path / "fetched", LoopbackOpener())


def test_a_redirect_within_the_server_is_followed(
    url: str, remote: Repo, serve: Callable[[App], str], tmp_path: Path
) -> None:
    inner = make_wsgi_chain(serving("/new.git", remote))

    def app(environ: dict[str, str], start: Callable[..., Callable[[bytes], object]]) -> object:
        if environ["PATH_INFO"].startswith("/old"):
            location = f"http://{environ['HTTP_HOST']}/new.git/info/refs?{environ['QUERY_STRING']}"
            start("302 Found", [("Location", location)])
            return []
        return inner(environ, start)

    assert fetch_repository(serve(app) + "/old", None, tmp_path / "fetched", LoopbackOpener())


def test_a_redirect_to_another_server_without_tls_is_not_followed(
    url: str, serve: Callable[[App], str], tmp_path: Path
) -> None:
    location = f"{url}/info/refs?service=git-upload-pack"
    elsewhere = serve(_answering("302 Found", {"Location": location}))
    opener = LoopbackOpener()
    with pytest.raises(SourceError, match="sends to another one"):
        fetch_repository(elsewhere + "/x", None, tmp_path / "fetched", opener)
    assert [method for method, _ in opener.sent] == ["GET", "GET"]


def _pack(*objects: tuple[int, int, bytes]) -> bytes:
    data = bytearray(b"PACK" + (2).to_bytes(4) + len(objects).to_bytes(4))
    for kind, size, content in objects:
        data += bytes(pack_object_header(kind, None, size, SHA1)) + zlib.compress(content)
    return bytes(data) + hashlib.sha1(data).digest()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "broken"),
        (b"PACK", "broken"),
        (_pack((3, 4, b"text"))[:-1], "broken"),
        (_pack((3, 4, b"text"))[:-1] + b"x", "broken"),
        (_pack((3, 4, bytes(10_000_000))), "broken"),
        (_pack((3, 9, b"text")), "broken"),
        (_pack((3, 2**40, b"text")), "over_limit"),
        (_pack((3, 200_000_000, bytes(1000))), "over_limit"),
    ],
)
def test_a_pack_that_is_not_what_it_says_is_refused(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    incoming = tmp_path / "incoming"
    incoming.write_bytes(data)
    with pytest.raises(DocumentRefusedError) as caught:
        store_pack(incoming, tmp_path, FetchLimits(), deadline=1e18)
    assert caught.value.reason == reason
    assert list(tmp_path.iterdir()) == [incoming]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("git+https://example.org/a/b.git", GitUrl("https://example.org/a/b.git")),
        ("git+https://example.org/a/b@v1.0", GitUrl("https://example.org/a/b", "v1.0")),
        (
            "git+https://EXAMPLE.org/b/@f/x#subdir=d/e/",
            GitUrl("https://example.org/b", "f/x", "d/e"),
        ),
        ("git+https://example.org/b#subdir=a%20b", GitUrl("https://example.org/b", None, "a b")),
        ("git+https://example.org:8443/b@a%2Bb", GitUrl("https://example.org:8443/b", "a+b")),
    ],
)
def test_a_git_url_has_a_repository_a_ref_and_a_folder(text: str, parts: GitUrl) -> None:
    assert parse_git_url(text) == parts
    assert parts.name == "b"


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/b",
        "git+http://example.org/b",
        "git+http://127.0.0.1/b",
        "git+ssh://git@example.org/b",
        "git+file:///srv/b",
        "git+ext::sh -c id",
        "git+https:///b",
        "git+https://example.org",
        "git+https://example.org/",
        "git+https://user:hunter2@example.org/b",
        "git+https://user@example.org/b",
        "git+https://example.org/b?x=hunter2",
        "git+https://example.org/b?",
        "git+https://example.org/b@",
        "git+https://example.org/b@-x",
        "git+https://example.org/b@a..b",
        "git+https://example.org/b@a%20b",
        "git+https://example.org/b@a%00b",
        "git+https://example.org/../b",
        "git+https://example.org/%2e%2e/b",
        "git+https://example.org/b#docs",
        "git+https://example.org/b#subdir=",
        "git+https://example.org/b#subdir=../x",
        "git+https://example.org/b#subdir=a%2f..%2fb",
        "git+https://example.org/b#subdir=a%5cb",
        "git+https://example.org/b#subdir=a&egg=b",
        "git+https://example.org\\@evil.org/b",
        "git+https://example.org/b\n",
        "git+https://[::1/b",
        "git+https://example.org:x/b",
        "git+git+https://example.org/b",
    ],
)
def test_other_urls_are_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_git_url(text)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_plain_http_is_for_loopback_and_tests() -> None:
    url = "git+http://127.0.0.1:8000/b@main"
    assert parse_git_url(url, allow_loopback=True) == GitUrl("http://127.0.0.1:8000/b", "main")
    for host in ("example.org", "localhost", "10.0.0.1", "127.0.0.1.nip.io"):
        with pytest.raises(SourceError):
            parse_git_url(f"git+http://{host}/b", allow_loopback=True)
