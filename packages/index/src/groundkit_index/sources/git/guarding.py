"""Turns what dulwich and zlib raise for damaged files into refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from groundkit_core.errors import DocumentRefusedError

_Result = TypeVar("_Result")


def guarded(call: Callable[[], _Result], damage: str) -> _Result:
    """Return what a call returns.

    Args:
        call: reads what anybody may have written.
        damage: what to say when it cannot.

    Raises:
        DocumentRefusedError: that of the call, or `broken` for anything else that it raises.
    """
    try:
        return call()
    except DocumentRefusedError:
        raise
    except Exception:  # noqa: BLE001, S110
        pass  # it must be gone before the files are closed, for its frames hold views of them
    raise DocumentRefusedError("broken", damage)
