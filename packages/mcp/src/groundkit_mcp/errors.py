"""The errors of the service itself, beside those of `groundkit_core.errors`.

ServiceError                 service_error
├── AuthenticationError      unauthenticated
├── KeysUnavailableError     keys_unavailable
├── ScopeError               insufficient_scope
├── UnknownHostError         unknown_host
├── ForeignOriginError       foreign_origin
├── RouteNotFoundError       route_not_found
├── MethodError              method_not_allowed
├── MediaTypeError           unsupported_media_type
├── MalformedError           malformed_request
├── BodyTooLargeError        body_too_large
├── SlowBodyError            body_too_slow
├── OverloadedError          overloaded
└── DeadlineError            deadline_exceeded

Beside these, a NotFoundError: NoDefaultCollectionError, no_default_collection.

How each is told, on every surface, is in `groundkit_mcp.failures.RULES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from groundkit_core.errors import GroundkitError, NotFoundError


class ServiceError(GroundkitError):
    """The base of the errors of the service."""

    kind = "service_error"


class AuthenticationError(ServiceError):
    """The caller did not prove who it is; the message never says why.

    Args:
        code: the error code of RFC 6750; None when nothing was presented.
    """

    kind = "unauthenticated"

    def __init__(self, code: Literal["invalid_request", "invalid_token"] | None = None) -> None:
        super().__init__("a valid bearer token is needed")
        self.code = code


class KeysUnavailableError(ServiceError):
    """The keys that tokens are signed with cannot be had."""

    kind = "keys_unavailable"


class ScopeError(ServiceError):
    """The token does not carry a scope.

    Args:
        scope: what it would need.
    """

    kind = "insufficient_scope"

    def __init__(self, scope: str) -> None:
        super().__init__("the token does not carry the scope that this needs")
        self.scope = scope


class UnknownHostError(ServiceError):
    """The Host header names somebody else."""

    kind = "unknown_host"


class ForeignOriginError(ServiceError):
    """A page of another origin asks."""

    kind = "foreign_origin"


class RouteNotFoundError(ServiceError):
    """No such path."""

    kind = "route_not_found"


class MethodError(ServiceError):
    """The path does not take this method."""

    kind = "method_not_allowed"


class MediaTypeError(ServiceError):
    """The body is of another media type than the path takes."""

    kind = "unsupported_media_type"


class MalformedError(ServiceError):
    """The request cannot be parsed."""

    kind = "malformed_request"


class BodyTooLargeError(ServiceError):
    """The body is longer than the service reads."""

    kind = "body_too_large"


class SlowBodyError(ServiceError):
    """The body did not arrive in time."""

    kind = "body_too_slow"


class OverloadedError(ServiceError):
    """The caller has too many calls waiting already."""

    kind = "overloaded"


class NoDefaultCollectionError(NotFoundError):
    """No collection was named, and the caller may not know the one that is asked then.

    Args:
        existing: the names the caller may know.
    """

    kind = "no_default_collection"

    def __init__(self, existing: Sequence[str] = ()) -> None:
        hint = f"name one of: {', '.join(existing)}" if existing else "there is none to name"
        super().__init__(f"no collection was named; {hint}")


class DeadlineError(ServiceError):
    """The call took longer than it may."""

    kind = "deadline_exceeded"
