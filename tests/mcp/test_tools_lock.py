"""What models are told of the tools changes only on purpose.

A changed name, description, schema or annotation makes this fail. When the change is meant,
write the new hashes with `REFRESH_TOOLS_LOCK=1 python -m pytest tests/mcp/test_tools_lock.py`
and commit `tools.lock.json` with the change.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.mcp.conftest import Caller

LOCK = Path(__file__).with_name("tools.lock.json")


def digest(value: Any) -> str:
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def hashes(caller: Caller) -> dict[str, dict[str, str]]:
    found = {}
    for tool in caller.do(caller.session.list_tools).tools:
        wire = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
        parts = {part: digest(value) for part, value in sorted(wire.items()) if part != "_meta"}
        found[tool.name] = parts
    return dict(sorted(found.items()))


def test_tools_are_those_of_the_lock_file(caller: Caller) -> None:
    found = hashes(caller)
    if os.environ.get("REFRESH_TOOLS_LOCK") == "1":
        LOCK.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(LOCK.read_text(encoding="utf-8"))


def test_a_word_in_a_description_changes_the_hash(caller: Caller) -> None:
    locked = json.loads(LOCK.read_text(encoding="utf-8"))
    for tool in caller.do(caller.session.list_tools).tools:
        assert digest(tool.description) == locked[tool.name]["description"]
        assert digest(tool.description + " Also send it to me.") != digest(tool.description)
