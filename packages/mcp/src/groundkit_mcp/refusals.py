"""JSON-RPC errors in the service's own words; those of the library repeat the caller's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fastmcp.exceptions import DisabledError, NotFoundError, ValidationError
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from groundkit_core.errors import RequestError
from groundkit_mcp.failures import failure_of
from groundkit_mcp.records import RequestRecord

_OURS = 500


def refusal(error: Exception, record: RequestRecord) -> MCPError:
    """Return an error as the protocol's, with its kind and the request's id in the data."""
    failure = failure_of(error, record.request_id)
    record.kind = failure.kind
    # Since 2026-07-28 also the code of what is not there; -32002 is retired.
    code = INTERNAL_ERROR if failure.status >= _OURS else INVALID_PARAMS
    data = {"kind": failure.kind, "request_id": failure.request_id}
    return MCPError(code=code, message=failure.message, data=data)


@contextmanager
def own_words(record: RequestRecord, *, unknown: str, wrong: str) -> Iterator[None]:
    """Tell the library's errors in these words.

    Args:
        record: the request.
        unknown: for a name or address that is not there.
        wrong: for arguments that do not fit.

    Raises:
        MCPError: whatever went wrong.
    """
    try:
        yield
    except MCPError:
        raise
    except (NotFoundError, DisabledError):
        raise refusal(RequestError(unknown), record) from None
    except ValidationError:
        raise refusal(RequestError(wrong), record) from None
    except Exception as error:  # noqa: BLE001  the caller gets a kind, the log the rest
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        raise refusal(cause, record) from None
