"""Asks a REST endpoint."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.model import JudgedQuery
from groundkit_eval.runs import Answer, Searcher
from groundkit_eval.targets.definitions import RestTarget
from groundkit_eval.targets.mapping import Mapped, filled


@contextlib.contextmanager
def open_rest(name: str, target: RestTarget, names: Mapping[str, str]) -> Iterator[Searcher]:
    """Give a search over the endpoint; one connection is kept open.

    Raises:
        EvaluationError: the endpoint cannot be reached, refuses, or answers something else.
    """
    import httpx

    mapped = Mapped(name, target, names)
    with httpx.Client(timeout=target.timeout_seconds, headers=target.headers) as client:

        def search(query: JudgedQuery, limit: int) -> Answer:
            asked = min(limit, target.limit)
            parameters = filled(dict(target.parameters), query, asked)
            body = None if target.body is None else filled(target.body, query, asked)
            try:
                response = client.request(
                    target.method, target.url, params=parameters or None, json=body
                )
                response.raise_for_status()
                document = response.json()
            except httpx.HTTPStatusError as error:
                raise _failed(name, query, f"status {error.response.status_code}") from None
            except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                raise _failed(name, query, str(error) or type(error).__name__) from None
            return mapped.answer(document, limit)

        yield Searcher(search)


def _failed(name: str, query: JudgedQuery, reason: str) -> EvaluationError:
    return EvaluationError(
        f"{name} failed at query {query.id}, so nothing is measured: {reason}; "
        "with --resume DIR the answers before it are kept"
    )


def described(target: RestTarget) -> str:
    """Return what the target is, in one line, without secrets."""
    parts = urlsplit(target.url)
    return f"{target.method} {parts.path or '/'} of {parts.hostname or 'an unknown host'}"
