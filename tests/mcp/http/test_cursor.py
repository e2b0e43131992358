"""An answer that is too long goes on where it broke off, for whoever got its first part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from groundkit_core.errors import RequestError
from groundkit_index import ingest
from groundkit_mcp import ServiceContext
from groundkit_mcp.auth.settings import AuthSettings
from groundkit_mcp.auth.static import new_token
from groundkit_mcp.cursors import Cursors, Position, parse_key
from groundkit_mcp.operations.registry import TOOLSETS

if TYPE_CHECKING:
    from tests.mcp.conftest import Answer, Wire
    from tests.mcp.http.conftest import Served

ASKED: dict[str, Any] = {"query": "otter", "limit": 20}


def write(folder: Path) -> Path:
    folder.mkdir()
    for number in range(20):
        words = " ".join(f"otter river{number}x{n}" for n in range(115))
        (folder / f"{number}.md").write_text(f"# Otters {number}\n\n{words}\n")
    return folder


@pytest.fixture(scope="module")
def long_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    ingest(write(folder / "docs"), index_dir=folder / "index")
    return folder / "index"


@pytest.fixture
def context(long_index: Path) -> Iterator[ServiceContext]:
    made = ServiceContext(long_index)
    yield made
    made.close()


def post(served: Served, headers: dict[str, str] | None = None, **asked: Any) -> dict[str, Any]:
    answer = served.client.post("/v1/search", json=asked, headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def parts(served: Served, **asked: Any) -> list[dict[str, Any]]:
    found = [post(served, **asked)]
    while cursor := found[-1]["next_cursor"]:
        found.append(post(served, cursor=cursor, **asked))
    return found


def refused(served: Served, headers: dict[str, str] | None = None, **asked: Any) -> str:
    answer = served.client.post("/v1/search", json=asked, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["kind"] == "invalid_request"
    detail: str = answer.json()["detail"]
    return detail


def test_the_parts_together_are_the_whole_page_each_passage_once(
    start_service: Callable[..., Served], context: ServiceContext
) -> None:
    served = start_service(context)
    found = parts(served, **ASKED)
    assert len(found) > 1
    assert [hit["rank"] for part in found for hit in part["results"]] == list(range(1, 21))
    assert len({hit["chunk_id"] for part in found for hit in part["results"]}) == 20
    left = [part["coverage"]["withheld"]["over_budget"] for part in found]
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0


def test_the_text_names_the_cursor_and_the_tool_takes_it(
    ask: Callable[..., Answer], context: ServiceContext
) -> None:
    first = ask(context, "search", **ASKED)
    cursor = first.data["next_cursor"]
    assert f"ask the same with cursor {cursor}" in first.text
    second = ask(context, "search", cursor=cursor, **ASKED)
    assert second.data["results"][0]["rank"] == len(first.data["results"]) + 1


def test_an_answer_that_is_whole_has_no_cursor(
    start_service: Callable[..., Served], context: ServiceContext
) -> None:
    served = start_service(context)
    assert post(served, query="otter", limit=2)["next_cursor"] is None
    assert post(served, query="walrus")["next_cursor"] is None


@pytest.mark.parametrize(
    "change",
    [
        {"query": "otters"},
        {"limit": 19},
        {"confidence": "strict"},
        {"source_class": "docs"},
        {"mode": "lexical"},
        {"project": "default"},
    ],
)
def test_a_cursor_is_good_for_the_same_arguments_only(
    start_service: Callable[..., Served], context: ServiceContext, change: dict[str, Any]
) -> None:
    served = start_service(context)
    cursor = post(served, **ASKED)["next_cursor"]
    assert refused(served, cursor=cursor, **{**ASKED, **change}).startswith("cursor: ")
    assert post(served, cursor=cursor, collection="default", **ASKED)["status"] == "OK"


def test_a_cursor_is_good_for_the_same_principal_only(
    start_service: Callable[..., Served], context: ServiceContext, tmp_path: Path
) -> None:
    made = [new_token(name, ["search"]) for name in ("alice", "bob")]
    (tmp_path / "tokens.toml").write_text("\n".join(lines for _, lines in made))
    served = start_service(context, auth=AuthSettings(tokens=tmp_path / "tokens.toml"))
    alice, bob = ({"authorization": f"Bearer {token}"} for token, _ in made)
    cursor = post(served, alice, **ASKED)["next_cursor"]
    assert post(served, alice, cursor=cursor, **ASKED)["results"]
    assert refused(served, bob, cursor=cursor, **ASKED).startswith("cursor: ")


@pytest.mark.parametrize("forged", ["x", "A" * 36, "A" * 100, "é", "?", "AQAIAAAAAAAAAAE", "\x00"])
def test_a_forged_cursor_is_refused_in_the_words_of_a_foreign_one(
    start_service: Callable[..., Served], context: ServiceContext, forged: str
) -> None:
    assert refused(start_service(context), cursor=forged, **ASKED) == (
        "cursor: not one that this service gave you for these arguments; ask without it"
    )


def test_no_bit_of_a_cursor_can_be_changed() -> None:
    cursors = Cursors()
    cursor = cursors.sign(Position(8, 3), b"who and what")
    assert cursors.read(cursor, b"who and what") == Position(8, 3)
    for place, char in enumerate(cursor):
        other = "A" if char != "A" else "B"
        with pytest.raises(RequestError):
            cursors.read(cursor[:place] + other + cursor[place + 1 :], b"who and what")


def test_replicas_with_one_key_take_up_where_another_left_off() -> None:
    key = b"k" * 32
    cursor = Cursors(key).sign(Position(8, 3), b"bound")
    assert Cursors(key).read(cursor, b"bound") == Position(8, 3)
    with pytest.raises(RequestError):
        Cursors().read(cursor, b"bound")


def test_a_key_that_can_be_guessed_is_refused(
    start: Callable[..., Wire], long_index: Path, tmp_path: Path
) -> None:
    (tmp_path / "key").write_text("short\n")
    with pytest.raises(ValueError, match="at least 32 bytes"):
        parse_key(b" " * 40)
    server = start(
        "--http", "--port", "0", "--index-dir", str(long_index), "--cursor-key", tmp_path / "key"
    )
    assert server.process.wait(20) == 2
    assert "key: a key has at least 32 bytes" in server.log()


def test_a_collection_that_changed_in_between_is_said(
    start_service: Callable[..., Served], tmp_path: Path
) -> None:
    docs = write(tmp_path / "docs")
    ingest(docs, index_dir=tmp_path / "index")
    context = ServiceContext(tmp_path / "index")
    served = start_service(context)
    cursor = post(served, **ASKED)["next_cursor"]
    (docs / "20.md").write_text("# More\n\nNothing of that kind.\n")
    ingest(docs, index_dir=tmp_path / "index")
    second = post(served, cursor=cursor, **ASKED)
    assert second["results"]
    assert any("changed since the first part" in note for note in second["coverage"]["notes"])
    context.close()


def test_the_two_tool_shape_lists_what_would_not_fit_as_text(
    ask: Callable[..., Answer], context: ServiceContext
) -> None:
    answer = ask(context, "search", operations=TOOLSETS["connector"], query="otter")
    assert len(answer.data["results"]) == 10
    one_part = ask(context, "search", query="otter", limit=10)
    assert len(one_part.data["results"]) < 10
