"""The declaration of one operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from groundkit_core.contracts import Contract

if TYPE_CHECKING:
    from groundkit_mcp.calls import Call


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing the service can be asked; surfaces are rendered from it.

    Attributes:
        name: the tool's name, stable.
        title: the name that a person sees.
        summary: one line on what it returns.
        guidance: when to use it and when not, written for a model that must choose.
        input_model: what it takes; nothing in it configures the service.
        output_model: what it returns.
        handler: a plain function from a call and a valid input to the output.
        method: the HTTP method of its REST route.
        path: the path of its REST route.
        scope: what a token must carry to run it over HTTP.
        read_only: it changes nothing.
        command: the words after `groundkit` that do the same; None where no command does.
    """

    name: str
    title: str
    summary: str
    guidance: str
    input_model: type[Contract]
    output_model: type[Contract]
    handler: Callable[[Call, Any], Contract]
    method: Literal["GET", "POST"]
    path: str
    scope: Literal["search", "read"] = "read"
    read_only: bool = True
    command: str | None = None

    @property
    def description(self) -> str:
        """Summary and guidance together."""
        return f"{self.summary} {self.guidance}"
