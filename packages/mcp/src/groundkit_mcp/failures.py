"""What a caller is told of an error: a stable kind, a safe message, a request id."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass

from pydantic import ValidationError

from groundkit_core.errors import GroundkitError, RequestError
from groundkit_mcp.inline import one_line

_INTERNAL = "the server failed to answer; its log tells more under this request id"

logger = logging.getLogger("groundkit_mcp")


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as its caller may know it.

    Attributes:
        kind: stable, safe to branch on.
        message: one line that holds nothing but what the error's class allows.
        request_id: names the request in the log.
    """

    kind: str
    message: str
    request_id: str

    @property
    def text(self) -> str:
        """The failure in one line."""
        return f"{self.kind}: {self.message} (request {self.request_id})"


def new_request_id() -> str:
    """Return a fresh id for one request."""
    return secrets.token_hex(6)


def failure_of(error: Exception, request_id: str) -> Failure:
    """Return what the caller is told.

    groundkit's own errors and invalid arguments are told as they are; of everything else the
    caller learns only that it happened, and the log where.
    """
    if isinstance(error, GroundkitError):
        return Failure(error.kind, one_line(str(error)), request_id)
    if isinstance(error, ValidationError):
        return Failure(RequestError.kind, _invalid(error), request_id)
    logger.error("request %s failed", request_id, exc_info=error)
    return Failure(GroundkitError.kind, _INTERNAL, request_id)


def _invalid(error: ValidationError) -> str:
    """Name the argument and the rule, never the value and never a name the caller made up."""
    problems = []
    for detail in error.errors(include_url=False, include_input=False, include_context=False):
        if detail["type"] == "extra_forbidden":
            problems.append("an argument is unknown; see the tool's input schema")
            continue
        rule = detail["msg"].removeprefix("Value error, ")
        name = str(detail["loc"][0]) if detail["loc"] else "arguments"
        problems.append(f"{name}: {rule}")
    return one_line("; ".join(dict.fromkeys(problems)))
