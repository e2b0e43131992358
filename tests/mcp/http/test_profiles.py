"""A verified caller sees what the policy lets its principal read, on REST and MCP alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundkit_core.settings import load_settings
from groundkit_index import IngestOptions, ingest
from groundkit_mcp import ServiceContext
from groundkit_mcp.auth.settings import AuthSettings
from groundkit_mcp.auth.static import new_token

_POLICY = """
version = 1

[profiles.hr]
classes = ["docs"]
labels = ["people"]
collections = ["default"]

[profiles.archivist]
classes = ["docs"]
collections = ["default", "archive"]

[[rules]]
paths = ["hr/**"]
labels = ["people"]

[[identities]]
subject = "ann"
profile = "hr"

[[identities]]
subject = "ben"
profile = "archivist"
"""
_SUBJECTS = ("ann", "ben", "eve")


class Callers:
    """A served application with a token for each subject."""

    def __init__(self, served: Any, tokens: dict[str, str], policy: Path) -> None:
        self.served, self.tokens, self.policy = served, tokens, policy

    def headers(self, subject: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens[subject]}"}

    def sources(self, subject: str, **body: Any) -> set[str]:
        answer = self.served.client.post(
            "/v1/search", json={"query": "zebra", **body}, headers=self.headers(subject)
        )
        assert answer.status_code == 200, answer.text
        return {hit["citation"]["source"] for hit in answer.json()["results"]}

    def get(self, subject: str, path: str) -> Any:
        return self.served.get(path, headers=self.headers(subject))

    def tool(self, subject: str, name: str, **arguments: Any) -> Any:
        answer = self.served.rpc(
            "tools/call",
            {"name": name, "arguments": arguments},
            authorization=f"Bearer {self.tokens[subject]}",
        )
        return answer.json()["result"]


@pytest.fixture
def callers(tmp_path: Path, start_service: Callable[..., Any]) -> Iterator[Callers]:
    for collection, files in {
        "default": {"hr/pay.md": "The zebra keeper's pay.", "guide.md": "A zebra has stripes."},
        "archive": {"old.md": "An old zebra."},
    }.items():
        folder = tmp_path / collection
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f"# Zebra\n\n{text}\n")
        ingest(folder, index_dir=tmp_path / "index", collection=collection, options=IngestOptions())
    policy, tokens_file = tmp_path / "policy.toml", tmp_path / "tokens.toml"
    policy.write_text(_POLICY)
    made = {subject: new_token(subject, ("search", "read")) for subject in _SUBJECTS}
    tokens_file.write_text("".join(lines for _, lines in made.values()))
    tokens_file.chmod(0o600)
    context = ServiceContext(
        tmp_path / "index", settings=load_settings(policy=policy, index_dir=tmp_path / "index")
    )
    served = start_service(context, auth=AuthSettings(tokens=tokens_file))
    yield Callers(served, {subject: token for subject, (token, _) in made.items()}, policy)
    context.close()


def test_each_caller_finds_what_its_profile_reads(callers: Callers) -> None:
    assert callers.sources("ann") == {"hr/pay.md", "guide.md"}
    assert callers.sources("ben") == callers.sources("eve") == {"guide.md"}
    assert callers.sources("ben", collection="archive") == {"old.md"}
    found = callers.tool("eve", "search", query="zebra")["structuredContent"]["results"]
    assert [hit["citation"]["source"] for hit in found] == ["guide.md"]


def test_a_forbidden_collection_and_an_unknown_one_are_the_same_answer(callers: Callers) -> None:
    forbidden = callers.get("ann", "/v1/status?collection=archive")
    unknown = callers.get("ann", "/v1/status?collection=nowhere")
    assert forbidden.status_code == unknown.status_code == 404
    assert forbidden.json()["kind"] == unknown.json()["kind"] == "collection_not_found"
    said = forbidden.json()["detail"].replace("archive", "nowhere")
    assert said == unknown.json()["detail"]
    assert "existing collections: default" in said
    listed = callers.get("ann", "/v1/collections").json()
    assert [entry["name"] for entry in listed["collections"]] == ["default"]
    both = callers.get("ben", "/v1/collections").json()["collections"]
    assert {entry["name"]: entry["documents"] for entry in both} == {"archive": 1, "default": 1}


def test_a_forbidden_passage_and_an_unknown_one_are_the_same_answer(callers: Callers) -> None:
    answer = callers.served.client.post(
        "/v1/search", json={"query": "pay keeper"}, headers=callers.headers("ann")
    )
    hidden = answer.json()["results"][0]["chunk_id"]
    assert callers.get("ann", f"/v1/chunks/{hidden}").status_code == 200
    of_hidden = callers.get("eve", f"/v1/chunks/{hidden}")
    of_unknown = callers.get("eve", f"/v1/chunks/{'0' * len(hidden)}")
    assert of_hidden.status_code == of_unknown.status_code == 404
    bodies = [answer.json() for answer in (of_hidden, of_unknown)]
    for body in bodies:
        del body["request_id"]
        body.pop("instance", None)
    assert bodies[0] == bodies[1]
    tools = [
        callers.tool("eve", "fetch_chunk", chunk_id=name)["content"][0]["text"].split(" (request")[
            0
        ]
        for name in (hidden, "0" * len(hidden))
    ]
    assert tools[0] == tools[1]


def test_counts_and_listings_are_of_what_may_be_seen(callers: Callers) -> None:
    status = callers.get("eve", "/v1/status").json()["status"]
    assert (status["documents"], status["chunks"], status["size_bytes"]) == (1, 1, None)
    sources = callers.get("eve", "/v1/sources").json()
    assert [entry["source"] for entry in sources["sources"]] == ["guide.md"]
    assert sources["total"] == 1


def test_the_next_call_honours_a_changed_policy_and_a_broken_one_closes(callers: Callers) -> None:
    callers.policy.write_text(_POLICY.replace('"ann"', '"eve"'))
    assert callers.sources("ann") == {"guide.md"}
    assert callers.sources("eve") == {"hr/pay.md", "guide.md"}
    assert callers.served.get("/readyz").status_code == 200
    callers.policy.write_text("no policy")
    closed = callers.get("eve", "/v1/sources")
    assert (closed.status_code, closed.json()["kind"]) == (404, "no_default_collection")
    assert callers.get("eve", "/v1/collections").json()["collections"] == []
    assert callers.served.get("/readyz").status_code == 503
