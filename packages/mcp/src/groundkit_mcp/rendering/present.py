"""A result cut to what one answer may hold, and its text."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.contracts import (
    Contract,
    Passage,
    SourceList,
)
from groundkit_core.errors import RequestError
from groundkit_mcp.operations.connector import ConnectorDocument, ConnectorResults
from groundkit_mcp.operations.outputs import CollectionPage, IndexStatus, SearchPage
from groundkit_mcp.rendering.connector import DOCUMENT, RESULTS
from groundkit_mcp.rendering.fence import new_mark
from groundkit_mcp.rendering.inventory import COLLECTIONS, SOURCES, STATUS
from groundkit_mcp.rendering.passages import PASSAGE, SEARCH
from groundkit_mcp.rendering.view import View

BUDGET = 24_000
"""Bytes of UTF-8 that the text may have, and that the structured result may have as JSON.

A client caps an answer at 25,000 tokens. No token is shorter than a byte, so whichever form it
shows to the model stays below that. Should it show both, 48,000 bytes at two bytes a token or
more, which prose and code in any script have, are 24,000 tokens.
"""

_VIEWS: dict[type[Contract], View] = {
    SearchPage: SEARCH,
    Passage: PASSAGE,
    CollectionPage: COLLECTIONS,
    SourceList: SOURCES,
    IndexStatus: STATUS,
    ConnectorResults: RESULTS,
    ConnectorDocument: DOCUMENT,
}


@dataclass(frozen=True, slots=True)
class Presented:
    """A result that fits into one answer, in the forms that surfaces send.

    Attributes:
        result: the result, with whole items left out.
        text: for a model to read; empty when it was not asked for.
        json: the whole result, UTF-8.
    """

    result: Contract
    text: str
    json: bytes


def present(result: Contract, budget: int = BUDGET, *, text: bool = True) -> Presented:
    """Return a result with whole items left out until it fits.

    Args:
        result: an output of an operation.
        budget: bytes that each of the two forms may have.
        text: make the text, too; it is the shorter form.

    Raises:
        RequestError: even the smallest form is too long.
    """
    view = _VIEWS[type(result)]
    mark = new_mark()
    fitting: Contract | None = result
    while fitting is not None:
        shown = view.text(fitting, mark) if text else ""
        json = fitting.model_dump_json().encode()
        if len(shown.encode()) <= budget and len(json) <= budget:
            return Presented(fitting, shown, json)
        fitting = view.smaller(fitting)
    raise RequestError(
        f"the answer is longer than {budget:,} bytes even at its smallest; "
        "open the file at the place that the citation names"
    )
