"""Why something on the web was not fetched.

    FetchError                 fetch_failed
    ├── ForbiddenError         the policy forbids it: `forbidden_url`, `forbidden_address`,
    │                          `forbidden_port`, `downgrade`, `redirect_loop`,
    │                          `too_many_redirects`
    ├── AnswerError            the answer is not taken: `too_large`, `type_not_supported`,
    │                          `encoding_not_supported`, `broken_encoding`
    ├── StatusError            `http_404` and the like
    └── UnreachableError       there was no whole answer: `unreachable`, `unknown_host`,
                               `bad_certificate`, `broken_off`, `too_slow`

A message names the address without its query and never holds credentials.
"""

from __future__ import annotations

from groundkit_core.errors import SourceError


class FetchError(SourceError):
    """Something on the web was not fetched.

    Args:
        reason: a stable reason code.
        detail: what was found and what to do about it.
        where: the address, without query; empty when it may hold a secret.
    """

    kind = "fetch_failed"

    def __init__(self, reason: str, detail: str, where: str = "") -> None:
        super().__init__(f"{reason}: {where}: {detail}" if where else f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.where = where


class ForbiddenError(FetchError):
    """The policy forbids this address, wherever it was found."""


class AnswerError(FetchError):
    """A server answered with something that is not taken."""


class StatusError(FetchError):
    """A server answered with a status that is no success.

    Args:
        status: the HTTP status.
        where: the address, without query.
    """

    def __init__(self, status: int, where: str) -> None:
        super().__init__(f"http_{status}", f"the server answered {status}", where)
        self.status = status


class UnreachableError(FetchError):
    """There was no whole answer; another time there may be one."""
