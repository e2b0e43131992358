"""What a caller is told of an error: a stable kind, a safe message, a request id."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass

from pydantic import ValidationError

from groundkit_core import errors as core
from groundkit_mcp import errors
from groundkit_mcp.inline import one_line

_INTERNAL = "the server failed to answer; its log tells more under this request id"

logger = logging.getLogger("groundkit_mcp")


@dataclass(frozen=True, slots=True)
class Rule:
    """How one class of errors, and what derives from it, is told.

    Attributes:
        status: the HTTP status.
        shown: whether the message may be told.
        retry_after: seconds after which to try again.
    """

    status: int
    shown: bool = True
    retry_after: int | None = None


RULES: dict[type[Exception], Rule] = {
    Exception: Rule(500, shown=False),
    core.RequestError: Rule(422),
    core.SettingsError: Rule(500, shown=False),
    core.NotFoundError: Rule(404),
    core.SourceError: Rule(500, shown=False),
    core.DocumentRefusedError: Rule(409),
    core.EmbeddingError: Rule(503),
    core.StorageError: Rule(503),
    core.CollectionBusyError: Rule(503, retry_after=2),
    core.IncompatibleIndexError: Rule(500),
    core.CorruptIndexError: Rule(500),
    errors.ServiceError: Rule(400),
    errors.AuthenticationError: Rule(401),
    errors.KeysUnavailableError: Rule(503, retry_after=5),
    errors.ScopeError: Rule(403),
    errors.UnknownHostError: Rule(421),
    errors.ForeignOriginError: Rule(403),
    errors.RouteNotFoundError: Rule(404),
    errors.MethodError: Rule(405),
    errors.MediaTypeError: Rule(415),
    errors.BodyTooLargeError: Rule(413),
    errors.SlowBodyError: Rule(408),
    errors.OverloadedError: Rule(429, retry_after=1),
    errors.DeadlineError: Rule(504),
}
"""The one table; an error is told by the rule of its nearest class."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as its caller may know it.

    Attributes:
        kind: stable, safe to branch on.
        message: one line that holds nothing but what the error's class allows.
        request_id: names the request in the log.
        status: the HTTP status.
        retry_after: seconds after which to try again; None when that is not known.
    """

    kind: str
    message: str
    request_id: str
    status: int = 500
    retry_after: int | None = None

    @property
    def text(self) -> str:
        """The failure in one line."""
        return f"{self.kind}: {self.message} (request {self.request_id})"


def new_request_id() -> str:
    """Return a fresh id for one request."""
    return secrets.token_hex(6)


def failure_of(error: Exception, request_id: str) -> Failure:
    """Return what the caller is told.

    Errors of classes that may be shown and invalid arguments are told as they are; of everything
    else the caller learns only its kind, and the log where it happened.
    """
    if isinstance(error, ValidationError):
        rule = RULES[core.RequestError]
        return Failure(core.RequestError.kind, _invalid(error), request_id, rule.status)
    kind = error.kind if isinstance(error, core.GroundkitError) else core.GroundkitError.kind
    rule = next(RULES[cls] for cls in type(error).__mro__ if cls in RULES)
    if not rule.shown:
        logger.error("request %s failed", request_id, exc_info=error)
    message = one_line(str(error)) if rule.shown else _INTERNAL
    return Failure(kind, message, request_id, rule.status, rule.retry_after)


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
