"""One guard for what parsers raise about documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from groundkit_core.errors import DocumentRefusedError


@contextmanager
def refusing() -> Iterator[None]:
    """Turn whatever a parser raises into a refusal, without text of the document.

    Raises:
        DocumentRefusedError: as raised inside; else `broken`, or `over_limit` for too deep nesting.
    """
    try:
        yield
    except (DocumentRefusedError, MemoryError):
        raise
    except RecursionError:
        raise DocumentRefusedError("over_limit", "its parts nest too deep") from None
    except Exception:  # noqa: BLE001  parsers raise what they like
        raise DocumentRefusedError("broken", "its content cannot be read") from None
