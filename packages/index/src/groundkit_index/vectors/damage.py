"""What numpy and LanceDB raise over damaged files, as one error."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from groundkit_core.errors import CorruptIndexError

UNREADABLE = "the vectors cannot be read; run `groundkit doctor --repair`"
DAMAGE = (
    ArithmeticError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)


_PANICS = ("PanicException", "RustPanic")


@contextlib.contextmanager
def reading() -> Iterator[None]:
    """Raise CorruptIndexError for what damaged files make of the block."""
    try:
        yield
    except DAMAGE as error:
        raise CorruptIndexError(UNREADABLE) from error
    except BaseException as error:
        # LanceDB has no common class for the panics of its engine, and some are no `Exception`.
        if type(error).__name__ in _PANICS:
            raise CorruptIndexError(UNREADABLE) from error
        raise
