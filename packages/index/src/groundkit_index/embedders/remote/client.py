"""Posts JSON to a server that may be down, slow, or hostile."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundkit_core.errors import EmbeddingError
from groundkit_index.embedders.extras import expect
from groundkit_index.embedders.remote.patience import Patience
from groundkit_index.embedders.remote.wire import Wire

if TYPE_CHECKING:
    import httpx

LARGEST_ANSWER = 64 * 2**20

_LARGEST_COMPLAINT = 64 * 1024
_TEMPORARY = frozenset({429, 500, 502, 503, 504})
_MAY_BE_TOO_LONG = frozenset({400, 413, 422, 500})
_TOO_LONG = re.compile(
    r"too (?:long|large|many)|context (?:length|size|window)|(?:maximum|max)\b.{0,60}"
    r"\b(?:token|length|batch)|exceed|batch size|reduce the length"
)


class TooLongError(EmbeddingError):
    """The server will not take so much text at once."""

    kind = "embedding_too_long"


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    retry_after: str | None
    body: bytes


class Client:
    """Posts JSON to one server; safe to share between threads.

    Proxies and credentials of the environment are not used and redirects are not followed.

    Args:
        wire: the kind of server.
        timeout: seconds that one request may take.

    Raises:
        EmbeddingError: httpx is not installed.
    """

    def __init__(self, wire: Wire, timeout: float) -> None:
        expect("httpx", "groundkit-index[remote]")
        self._wire = wire
        self._url = wire.endpoint + wire.path
        self._timeout = timeout
        self._opening = threading.Lock()
        self._http: httpx.Client | None = None

    def post(self, body: Mapping[str, object], largest: int, patience: Patience) -> object:
        """Return the answer to a body, as JSON.

        Args:
            body: what to send.
            largest: bytes that an answer may have; never more than 64 MiB.
            patience: how often to try when the server is down or busy.

        Raises:
            TooLongError: the server takes only less text at once.
            EmbeddingError: it did not answer, refused, or answered no JSON.
        """
        content = json.dumps(body).encode("ascii")
        attempt, seconds = 0, min(self._timeout, patience.longest_request)
        while True:
            answer, complaint = self._try(content, min(largest, LARGEST_ANSWER), seconds)
            if answer is not None and answer.status == 200:
                return self._parsed(answer.body)
            wait = patience.wait(attempt, answer.retry_after if answer else None)
            if wait is None:
                raise EmbeddingError(complaint)
            time.sleep(wait)
            attempt += 1

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        with self._opening:
            if self._http is not None:
                self._http.close()
            self._http = None

    def _try(self, content: bytes, largest: int, seconds: float) -> tuple[_Answer | None, str]:
        """Return the answer if there is one, and what to say if it is the last."""
        import httpx

        try:
            answer = self._send(content, largest, seconds)
        except httpx.ConnectError as error:
            return None, self._unreachable(error)
        except httpx.TimeoutException as error:
            raise EmbeddingError(
                f"{self._named()} took more than {seconds:g} s; "
                "raise the time-out or send less at once"
            ) from error
        except httpx.TransportError:
            return None, f"{self._named()} broke off its answer"
        return answer, self._refused(answer)

    def _send(self, content: bytes, largest: int, seconds: float) -> _Answer:
        """Return the answer, or raise `httpx.TransportError`.

        httpx limits single reads; the timer limits the whole, which a server could draw out
        byte by byte.
        """
        import httpx

        expired = threading.Event()

        def expire() -> None:
            expired.set()
            self.close()

        timer = threading.Timer(seconds, expire)
        timer.daemon = True
        timer.start()
        try:
            return self._exchange(content, largest)
        except (httpx.TransportError, ValueError, RuntimeError) as error:
            if expired.is_set():
                raise httpx.ReadTimeout("the whole answer took too long") from error
            if isinstance(error, httpx.TransportError):
                raise
            raise httpx.ReadError("another request ran out of time and closed all") from error
        finally:
            timer.cancel()

    def _exchange(self, content: bytes, largest: int) -> _Answer:
        headers = {
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
            **self._wire.headers(),
        }
        with self._opened().stream("POST", self._url, content=content, headers=headers) as answer:
            if answer.headers.get("Content-Encoding", "identity") != "identity":
                raise EmbeddingError(f"{self._named()} compressed its answer without being asked")
            cap = largest if answer.status_code == 200 else _LARGEST_COMPLAINT
            body = self._read(answer, cap)
            return _Answer(answer.status_code, answer.headers.get("Retry-After"), body)

    def _read(self, answer: httpx.Response, cap: int) -> bytes:
        body = bytearray()
        for block in answer.iter_raw():
            body += block
            if len(body) > cap:
                if answer.status_code == 200:
                    raise EmbeddingError(f"{self._named()} answered more than {cap} bytes")
                break
        return bytes(body[:cap])

    def _refused(self, answer: _Answer) -> str:
        """Raise unless the status is a good or a temporary one."""
        status = answer.status
        if 300 <= status < 400:
            raise EmbeddingError(
                f"{self._named()} answered with a redirect ({status}), which is not followed; "
                "set the final address as the endpoint"
            )
        if status in _MAY_BE_TOO_LONG and _TOO_LONG.search(_lower(answer.body)):
            raise TooLongError(f"{self._named()} takes less text at once ({status})")
        hint = self._wire.when_refused(status)
        complaint = f"{self._named()} answered {status}" + (f"; {hint}" if hint else "")
        if status != 200 and status not in _TEMPORARY:
            raise EmbeddingError(complaint)
        return complaint

    def _parsed(self, body: bytes) -> object:
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise EmbeddingError(f"{self._named()} answered something that is not JSON") from error

    def _unreachable(self, error: Exception) -> str:
        if "CERTIFICATE" in str(error).upper():
            return f"{self._named()} has a certificate that cannot be verified"
        return f"{self._named()} does not answer; {self._wire.when_down()}"

    def _named(self) -> str:
        return f"{self._wire.provider} at {self._wire.endpoint}"

    def _opened(self) -> httpx.Client:
        import httpx

        with self._opening:
            if self._http is None:
                self._http = httpx.Client(
                    # Loading certificates takes 40 ms, and plain HTTP has no use for them.
                    verify=self._url.startswith("https:"),
                    timeout=self._timeout,
                    trust_env=False,
                    follow_redirects=False,
                )
            return self._http


def _lower(body: bytes) -> str:
    return body[:_LARGEST_COMPLAINT].decode("utf-8", "replace").lower()
