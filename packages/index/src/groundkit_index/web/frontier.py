"""What a crawl has found and not yet asked for."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator

from groundkit_index.web.events import Refused
from groundkit_index.web.scope import Scope, may_be_document, trap
from groundkit_index.web.urls import Url

_MOST_MET = 200_000


class Frontier:
    """A queue of addresses within a scope, breadth first, each once.

    Args:
        scope: what belongs to it.
        most_variants: addresses that differ in nothing but their query.
    """

    def __init__(self, scope: Scope, most_variants: int) -> None:
        self.scope = scope
        self._most_variants = most_variants
        self._waiting: deque[tuple[Url, int]] = deque()
        self._seen: set[Url] = set()
        self._variants: Counter[tuple[str, str]] = Counter()
        self._refused: list[Refused] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def admitted(self, urls: Iterable[Url]) -> list[Url]:
        """Return the addresses that belong here and may be documents, each once."""
        inside = dict.fromkeys(map(self.scope.admit, urls))
        return [url for url in inside if url is not None and may_be_document(url)]

    def add(self, urls: Iterable[Url], depth: int) -> None:
        """Put admitted addresses in line that were not met before."""
        for url in urls:
            if url not in self._seen and len(self._seen) < _MOST_MET:
                self._seen.add(url)
                if self._may_wait(url):
                    self._waiting.append((url, depth))

    def meet(self, url: Url) -> None:
        """Note that an address need not be put in line."""
        self._seen.add(url)

    def pop(self) -> tuple[Url, int] | None:
        """Return the next address and how many links lead to it."""
        return self._waiting.popleft() if self._waiting else None

    def refused(self) -> Iterator[Refused]:
        """Yield what was refused since the last call."""
        yield from self._refused
        self._refused.clear()

    def _may_wait(self, url: Url) -> bool:
        reason = trap(url)
        if reason is None and url.query:
            page = (url.origin, url.path)
            self._variants[page] += 1
            if self._variants[page] <= self._most_variants:
                return True
            if self._variants[page] > self._most_variants + 1:
                return False  # said once
            reason = f"more than {self._most_variants} addresses differ in their query only"
        if reason is not None:
            self._refused.append(Refused(str(url), "trap", reason))
        return reason is None
