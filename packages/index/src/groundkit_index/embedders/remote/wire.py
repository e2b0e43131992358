"""What differs between the servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Wire(Protocol):
    """The wire format of one kind of server.

    Attributes:
        provider: name in the registry.
        model: the model's name.
        endpoint: the checked endpoint.
        path: what follows the endpoint.
    """

    provider: str
    model: str
    endpoint: str
    path: str

    def headers(self) -> Mapping[str, str]:
        """Return what goes along with every request; may hold a secret."""

    def request(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return the body that asks for the texts' vectors."""

    def rows(self, answer: object) -> object:
        """Return the vectors of an answer in the order of the texts, unchecked.

        Raises:
            TypeError, ValueError: the answer has another form.
        """

    def when_down(self) -> str:
        """Say what to do when nothing answers at the endpoint."""

    def when_refused(self, status: int) -> str:
        """Say what to do about an HTTP status, or nothing."""
