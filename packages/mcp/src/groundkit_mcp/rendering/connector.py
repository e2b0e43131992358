"""The two-tool shape: its clients read the text block as JSON."""

from __future__ import annotations

from groundkit_core.contracts import Contract
from groundkit_mcp.operations.connector import ConnectorDocument, ConnectorResults
from groundkit_mcp.rendering.view import View, shortened


def _json(result: Contract, _mark: str) -> str:
    return result.model_dump_json()


def _fewer(found: ConnectorResults) -> ConnectorResults | None:
    if not found.results:
        return None
    return ConnectorResults(results=found.results[: shortened(len(found.results))])


def _whole(_document: ConnectorDocument) -> None:
    return None


RESULTS = View(_json, _fewer)
DOCUMENT = View(_json, _whole)
