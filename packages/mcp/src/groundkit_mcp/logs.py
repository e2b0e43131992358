"""The log on standard error: one line an event, and nothing of what was asked or found."""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType

from groundkit_mcp.inline import one_line

_LONGEST = 1_000
_FRAMES = 4

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


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
        line = one_line(words, _LONGEST)
        if not record.exc_info or record.exc_info[0] is None:
            return line
        if self._debug:
            return f"{line}\n{''.join(traceback.format_exception(*record.exc_info))}".rstrip()
        return f"{line}: {_where(record.exc_info)}"


def log_to_stderr(*, debug: bool) -> None:
    """Send warnings and worse, of this and every library, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter(debug=debug))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)


def _where(exc_info: _ExcInfo) -> str:
    frames = traceback.extract_tb(exc_info[2])[-_FRAMES:]
    places = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames))
    return f"{exc_info[0].__name__} at {places}"
