"""The log as JSON, one object a line; imported only when it is asked for."""

from __future__ import annotations

import json
import logging
from collections.abc import MutableMapping
from typing import Any

import structlog

from groundkit_mcp.inline import one_line
from groundkit_mcp.logs import LONGEST, place_of, traceback_of
from groundkit_mcp.observability.access_log import FIELDS

_Event = MutableMapping[str, Any]


def json_formatter(*, debug: bool) -> logging.Formatter:
    """Return what renders records of every library.

    Args:
        debug: whole tracebacks, messages included, instead of class and place.
    """

    def exception(_logger: Any, _method: str, event: _Event) -> _Event:
        found = event.pop("exc_info", None)
        if isinstance(found, tuple) and found[0] is not None:
            event["exception"] = traceback_of(found) if debug else place_of(found)
        return event

    return structlog.stdlib.ProcessorFormatter(
        # Of what a record carries beside its message, only these fields are ours.
        foreign_pre_chain=[
            structlog.stdlib.ExtraAdder(allow=FIELDS),
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            exception,
            _short,
            structlog.processors.JSONRenderer(json.dumps),
        ],
    )


def _short(_logger: Any, _method: str, event: _Event) -> _Event:
    event["event"] = one_line(str(event["event"]), LONGEST)
    event.pop("stack_info", None)
    return event
