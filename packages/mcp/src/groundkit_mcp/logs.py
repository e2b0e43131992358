"""The log on standard error: one line an event, and nothing of what was asked or found."""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType
from typing import Literal

from groundkit_mcp.inline import one_line

LONGEST = 1_000
_FRAMES = 4

LogFormat = Literal["line", "json"]

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


class LineFormatter(logging.Formatter):
    """Renders a record as one line; of an exception only its class and its place.

    Args:
        debug: append whole tracebacks, messages included.
    """

    def __init__(self, *, debug: bool) -> None:
        super().__init__()
        self._debug = debug

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        words = f"groundkit-mcp: {record.levelname.lower()}: {record.getMessage()}"
        line = one_line(words, LONGEST)
        if not record.exc_info or record.exc_info[0] is None:
            return line
        if self._debug:
            return f"{line}\n{traceback_of(record.exc_info)}"
        return f"{line}: {place_of(record.exc_info)}"


def log_to_stderr(*, debug: bool, form: LogFormat = "line") -> None:
    """Send warnings and worse, of this and every library, to standard error.

    Args:
        debug: whole tracebacks, which may hold text of documents.
        form: `json` also logs every request.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(form, debug=debug))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    _silence("fastmcp")
    if form == "json":
        logging.getLogger("groundkit_mcp.access").setLevel(logging.INFO)


def _silence(library: str) -> None:
    """Keep a library's log off ours: its lines hold addresses and names that callers send."""
    logger = logging.getLogger(library)
    logger.propagate, logger.handlers = False, [logging.NullHandler()]


def _formatter(form: LogFormat, *, debug: bool) -> logging.Formatter:
    if form == "line":
        return LineFormatter(debug=debug)
    from groundkit_mcp.observability.json_logs import json_formatter

    return json_formatter(debug=debug)


def traceback_of(exc_info: ExcInfo) -> str:
    """Return a whole traceback, messages included."""
    return "".join(traceback.format_exception(*exc_info)).rstrip()


def place_of(exc_info: ExcInfo) -> str:
    """Return the class of an exception and where it was raised."""
    frames = traceback.extract_tb(exc_info[2])[-_FRAMES:]
    places = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames))
    return f"{exc_info[0].__name__} at {places}"
