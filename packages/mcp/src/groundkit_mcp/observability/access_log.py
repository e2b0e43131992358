"""One line a request, for the JSON log."""

from __future__ import annotations

import logging

from groundkit_mcp.observability.vocabulary import Vocabulary
from groundkit_mcp.observability.watching import Sink
from groundkit_mcp.records import RequestRecord

NAME = "groundkit_mcp.access"
FIELDS = (
    "request_id",
    "surface",
    "operation",
    "status",
    "kind",
    "waited_ms",
    "ran_ms",
    "whole_ms",
)
"""All that a line tells of a request."""

_logger = logging.getLogger(NAME)


def access_log(vocabulary: Vocabulary) -> Sink:
    """Return what writes the lines; it writes none unless the log asks for them."""

    def write(record: RequestRecord) -> None:
        if not _logger.isEnabledFor(logging.INFO):
            return
        fields = {
            "request_id": record.request_id,
            "surface": record.surface,
            "operation": vocabulary.operation(record),
            "status": record.status,
            "kind": vocabulary.outcome(record),
            "waited_ms": _ms(record.waited),
            "ran_ms": _ms(record.ran),
            "whole_ms": _ms(record.whole),
        }
        _logger.info("request", extra=fields)

    return write


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
