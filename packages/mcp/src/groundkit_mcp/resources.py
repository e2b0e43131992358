"""Passages as resources: `groundkit://{collection}/chunks/{chunk_id}`."""

from __future__ import annotations

from fastmcp.resources import ResourceContent, ResourceResult, ResourceTemplate

from groundkit_core.contracts import Contract
from groundkit_mcp.dispatch import Dispatcher
from groundkit_mcp.operations import Operation
from groundkit_mcp.records import current_record
from groundkit_mcp.refusals import refusal
from groundkit_mcp.rendering import present

CHUNK_TEMPLATE = "groundkit://{collection}/chunks/{chunk_id}"


def chunk_template(fetch: Operation, dispatcher: Dispatcher) -> ResourceTemplate:
    """Return the template that reads a passage as the fetch operation does.

    Args:
        fetch: the operation that fetches one passage.
        dispatcher: what runs it, with the caller's scopes, profile and deadline.
    """

    async def read(collection: str, chunk_id: str) -> ResourceResult:
        record = current_record()
        arguments = {"collection": collection, "chunk_id": chunk_id}
        try:
            text = await dispatcher.run(fetch, arguments, record, _text)
        except Exception as error:  # noqa: BLE001  the caller gets a kind, the log the rest
            raise refusal(error, record) from None
        return ResourceResult([ResourceContent(text, mime_type="text/plain")])

    return ResourceTemplate.from_function(
        read,
        CHUNK_TEMPLATE,
        name="passage",
        title="A passage",
        description="One passage by collection and chunk_id, with its citation checked again.",
        mime_type="text/plain",
    )


def _text(found: Contract) -> str:
    return present(found).text
