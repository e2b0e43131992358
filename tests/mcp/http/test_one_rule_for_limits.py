"""How many passages may be asked for is one rule, on MCP, REST, the command and the library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from groundkit_core.errors import RequestError
from groundkit_retrieval import Collection
from groundkit_retrieval.cli import main

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Served


def told_by_rest(served: Served, limit: Any) -> str | None:
    answer = served.client.post("/v1/search", json={"query": "zebra", "limit": limit})
    if answer.status_code == 200:
        return None
    assert (answer.status_code, answer.json()["kind"]) == (422, "invalid_request")
    return str(answer.json()["detail"])


def told_by_mcp(served: Served, limit: Any) -> str | None:
    call = {"name": "search", "arguments": {"query": "zebra", "limit": limit}}
    result = served.rpc("tools/call", call).json()["result"]
    if not result.get("isError"):
        return None
    text: str = result["content"][0]["text"]
    kind, _, message = text.partition(": ")
    assert kind == "invalid_request"
    return message.rpartition(" (request ")[0]


def told_by_python(index_dir: Path, limit: Any) -> str | None:
    with Collection.open(index_dir=index_dir) as collection:
        try:
            collection.search("zebra", limit=limit)
        except RequestError as error:
            return str(error)
    return None


def code_of_command(index_dir: Path, limit: str, capsys: pytest.CaptureFixture[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["search", "zebra", "--limit", limit, "--index-dir", str(index_dir)])
    said = capsys.readouterr().err
    code = int(ended.value.code or 0)
    assert said.count("\n") == (1 if code else 0)
    return code


@pytest.mark.parametrize("limit", [0, 21, -1, 10**9, "8", 8.0, 1e9, True, False, [8], {}, 1.5, ""])
def test_what_is_no_integer_from_1_to_20_is_refused_in_the_same_words(
    open_service: Served, index_dir: Path, limit: Any
) -> None:
    told = told_by_rest(open_service, limit)
    assert told is not None
    assert told.startswith("limit: ")
    assert told_by_mcp(open_service, limit) == told
    assert told_by_python(index_dir, limit) == told


@pytest.mark.parametrize("limit", [1, 8, 20])
def test_an_integer_from_1_to_20_is_taken_everywhere(
    open_service: Served, index_dir: Path, capsys: pytest.CaptureFixture[str], limit: int
) -> None:
    assert told_by_rest(open_service, limit) is None
    assert told_by_mcp(open_service, limit) is None
    assert told_by_python(index_dir, limit) is None
    assert code_of_command(index_dir, str(limit), capsys) == 0


@pytest.mark.parametrize("limit", ["0", "21", "-1", "1000000000", "1e9", "8.0", "true", '"8"', ""])
def test_the_command_takes_the_same_integers_in_decimal_digits(
    index_dir: Path, capsys: pytest.CaptureFixture[str], limit: str
) -> None:
    assert code_of_command(index_dir, limit, capsys) == 2
