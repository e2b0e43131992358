"""What cannot be read or rendered is told without words of the caller, and never logged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.mcp.conftest import Wire

CANARY = "xyzzycanary"

UNKNOWN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("resources/read", {"uri": f"groundkit://default/chunks/{CANARY}"}),
    ("resources/read", {"uri": f"file:///{CANARY}"}),
    ("prompts/get", {"name": CANARY}),
    ("prompts/get", {"name": "cited_answer", "arguments": {CANARY: CANARY}}),
)


def test_addresses_of_resources_and_names_of_prompts_stand_in_no_answer_and_no_log(
    start: Callable[..., Wire], index_dir: Path
) -> None:
    wire = start("--index-dir", str(index_dir)).initialize()
    for method, params in UNKNOWN:
        answer = wire.ask(method, **params)
        assert answer["error"]["code"] == -32602
        assert answer["error"]["data"].keys() == {"kind", "request_id"}
        assert CANARY not in json.dumps(answer)
    of_collection = wire.ask("resources/read", uri=f"groundkit://{CANARY}/chunks/a")
    assert of_collection["error"]["data"]["kind"] == "collection_not_found"
    _, log = wire.end()
    assert CANARY not in log
