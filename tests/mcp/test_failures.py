"""What an error tells its caller and what it tells the log."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.contracts import CollectionList, Contract
from groundkit_core.errors import CollectionBusyError, GroundkitError, StorageError
from groundkit_index.layout import CollectionPaths
from groundkit_mcp import Operation, ServiceContext
from groundkit_mcp.calls import Call
from groundkit_mcp.failures import failure_of
from groundkit_mcp.logs import LineFormatter
from groundkit_mcp.operations.inputs import CollectionsInput

if TYPE_CHECKING:
    from tests.mcp.conftest import Answer

SECRET = "/home/somebody/secret.sqlite3: select password"


def failing(error: Exception) -> Operation:
    def handler(_call: Call, _given: CollectionsInput) -> Contract:
        raise error

    return Operation(
        name="fail",
        title="Fail",
        summary="Fail.",
        guidance="Never.",
        input_model=CollectionsInput,
        output_model=CollectionList,
        handler=handler,
        method="GET",
        path="/v1/fail",
    )


@pytest.mark.parametrize(
    "error", [ValueError(SECRET), OSError(2, SECRET), KeyError(SECRET), RecursionError(SECRET)]
)
def test_an_unexpected_error_tells_only_a_request_id(
    ask: Callable[..., Answer], caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    answer = ask(ServiceContext("none"), "fail", operations=[failing(error)])
    assert (answer.failed, answer.kind) == (True, "internal")
    said = re.fullmatch(
        r"internal: the server failed to answer; its log tells more under this request id "
        r"\(request ([0-9a-f]{12})\)",
        answer.text,
    )
    assert said is not None
    (record,) = (r for r in caplog.records if r.name == "groundkit_mcp")
    line = LineFormatter(debug=False).format(record)
    assert said[1] in line
    assert type(error).__name__ in line
    assert "secret" not in line
    assert "\n" not in line
    assert "secret" in LineFormatter(debug=True).format(record)


def test_an_own_error_tells_its_kind_and_message(ask: Callable[..., Answer]) -> None:
    error = CollectionBusyError("another process is writing;\ntry again")
    answer = ask(ServiceContext("none"), "fail", operations=[failing(error)])
    assert (answer.failed, answer.kind) == (True, "collection_busy")
    assert answer.text.startswith("collection_busy: another process is writing;\\u000atry again (")
    assert answer.data is None


def test_a_damaged_index_is_an_error_of_its_own_kind(
    ask: Callable[..., Answer], tmp_path: Path
) -> None:
    paths = CollectionPaths.of(tmp_path, "default")
    paths.folder.mkdir()
    (paths.folder / "CURRENT").write_text("nonsense")
    answer = ask(ServiceContext(tmp_path), "search", query="zebra")
    assert (answer.failed, answer.kind) == (True, "index_corrupt")
    assert str(tmp_path) not in answer.text


def test_every_kind_of_error_has_its_own_name() -> None:
    def family(kind: type[GroundkitError]) -> list[type[GroundkitError]]:
        return [kind, *(k for child in kind.__subclasses__() for k in family(child))]

    kinds = [kind.kind for kind in family(GroundkitError) if "kind" in vars(kind)]
    assert len(set(kinds)) == len(kinds)
    assert failure_of(StorageError("full"), "id").kind == "storage_error"


def test_a_log_line_stays_one_line() -> None:
    record = logging.LogRecord("x", logging.WARNING, "x", 1, "a\nforged: %s", ("b\x1b[2J",), None)
    line = LineFormatter(debug=False).format(record)
    assert line == "groundkit-mcp: warning: a\\u000aforged: b\\u001b[2J"
