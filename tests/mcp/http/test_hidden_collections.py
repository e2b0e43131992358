"""A collection that a caller may not know of is, for it, one that does not exist."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.observed_work import Work, threads_observed, work_of

from groundkit_core.access import Principal
from groundkit_core.errors import CollectionNotFoundError
from groundkit_core.settings import load_settings
from groundkit_index import ingest
from groundkit_index.layout import CollectionPaths
from groundkit_index.lock import writer_lock
from groundkit_mcp import ServiceContext
from groundkit_mcp.auth.caller import Caller
from groundkit_mcp.auth.settings import AuthSettings
from groundkit_mcp.auth.static import new_token
from groundkit_mcp.sync import FolderSync

_POLICY = """
version = 1

[profiles.hr]
classes = ["docs"]
collections = ["default"]

[profiles.archivist]
classes = ["docs"]
collections = ["default", "archive"]

[profiles.nothing_yet]
classes = []

[[identities]]
subject = "ann"
profile = "hr"

[[identities]]
subject = "ben"
profile = "archivist"

[[identities]]
subject = "eve"
profile = "nothing_yet"
"""


Build = Callable[..., ServiceContext]


def caller(subject: str) -> Caller:
    return Caller(Principal(subject), frozenset({"search", "read"}))


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    """Makes a deployment with the collections `default` and `archive`."""
    for name in ("default", "archive"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "zebra.md").write_text(f"# Zebra\n\nA zebra of {name}.\n")
        ingest(tmp_path / name, index_dir=tmp_path / "index", collection=name)
    (tmp_path / "policy.toml").write_text(_POLICY)
    settings = load_settings(policy=tmp_path / "policy.toml", index_dir=tmp_path / "index")
    made: list[ServiceContext] = []

    def build(**options: Any) -> ServiceContext:
        made.append(ServiceContext(tmp_path / "index", settings=settings, **options))
        return made[-1]

    yield build
    for context in made:
        context.close()


@pytest.fixture
def context(build: Build) -> ServiceContext:
    return build()


def asked(context: ServiceContext, subject: str, name: str) -> Work:
    return work_of(lambda: context.seen(name, caller(subject)).search("zebra"))


@pytest.mark.parametrize("opened_by_others", [False, True])
def test_a_forbidden_collection_costs_the_same_work_as_an_unknown_one(
    context: ServiceContext, opened_by_others: bool
) -> None:
    with threads_observed():
        assert "index opened" in asked(context, "ann", "default").counts
        if opened_by_others:
            assert "index opened" in asked(context, "ben", "archive").counts
        open_before = set(context.generations())
        asked(context, "ann", "nowhere")
        forbidden, unknown = (asked(context, "ann", name) for name in ("archive", "nowhere"))
    assert forbidden.counts == unknown.counts
    assert forbidden.counts["collections listed"] == 1
    assert forbidden.counts["statement"] == forbidden.counts["index opened"] == 0
    assert set(context.generations()) == open_before


def test_a_profile_without_classes_knows_no_collection(context: ServiceContext) -> None:
    assert context.inventory(caller("eve")).collections == ()
    with pytest.raises(CollectionNotFoundError) as of_existing:
        context.seen("default", caller("eve"))
    assert of_existing.value.existing == ()


class Ann:
    """A caller over HTTP whose profile reads `default` only."""

    def __init__(self, served: Any, token: str) -> None:
        self._served, self._headers = served, {"authorization": f"Bearer {token}"}

    def get(self, path: str) -> tuple[int, str]:
        return self._told(self._served.get(path, headers=self._headers))

    def search(self, **body: Any) -> tuple[int, str]:
        asked = {"query": "zebra", **body}
        return self._told(self._served.client.post("/v1/search", json=asked, headers=self._headers))

    def _told(self, answer: Any) -> tuple[int, str]:
        request_id = answer.headers["x-request-id"]
        return answer.status_code, answer.text.replace(request_id, "ID")


@pytest.fixture
def serve_ann(tmp_path: Path, start_service: Callable[..., Any]) -> Callable[..., Ann]:
    token, lines = new_token("ann", ("search", "read"))
    (tmp_path / "tokens.toml").write_text(lines)

    def serve(context: ServiceContext) -> Ann:
        auth = AuthSettings(tokens=tmp_path / "tokens.toml")
        return Ann(start_service(context, auth=auth), token)

    return serve


def test_a_hidden_default_collection_is_not_named(
    build: Build, serve_ann: Callable[..., Ann]
) -> None:
    ann = serve_ann(build(collection="archive"))
    answers = [
        ann.get("/v1/collections"),
        ann.get("/v1/status"),
        ann.get("/v1/sources"),
        ann.get(f"/v1/chunks/{'0' * 24}"),
        ann.search(),
    ]
    assert [status for status, _ in answers] == [200, 404, 404, 404, 404]
    assert not [text for _, text in answers if "archive" in text]
    assert json.loads(answers[0][1])["default"] is None
    told = json.loads(answers[1][1])
    assert told["kind"] == "no_default_collection"
    assert told["detail"] == "no collection was named; name one of: default"


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[FolderSync]:
    """A sync of `archive` that waits for another writer."""
    (tmp_path / "index/archive").mkdir(parents=True, exist_ok=True)
    paths = CollectionPaths.of(tmp_path / "index", "archive")
    with writer_lock(paths.lock, wait=0):
        sync = FolderSync(tmp_path, index_dir=tmp_path / "index", collection="archive")
        yield sync
        sync.stop()


def test_a_hidden_collection_that_is_being_synced_is_an_unknown_one(
    build: Build, endless: FolderSync, serve_ann: Callable[..., Ann]
) -> None:
    ann = serve_ann(build(sync=endless, patience=0.2))

    def answers(name: str) -> list[tuple[int, str]]:
        found = [
            ann.search(collection=name),
            ann.get(f"/v1/status?collection={name}"),
            ann.get(f"/v1/sources?collection={name}"),
        ]
        return [(status, text.replace(name, "NAME")) for status, text in found]

    assert answers("archive") == answers("nowhere")
