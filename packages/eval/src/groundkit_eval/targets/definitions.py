"""Targets that are described in a TOML file: MCP servers, REST endpoints, and kept runs."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from groundkit_core.contracts import Contract
from groundkit_core.errors import SettingsError
from groundkit_eval.files import read_text
from groundkit_eval.judgments.problems import one_line

MAX_TARGETS = 12
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_NAME = re.compile(r"[^\s=,]{1,60}")


class Fields(Contract):
    """Where a result holds what, as dotted paths; `source` alone is needed.

    Attributes:
        source: the document.
        start: first code point of the passage in the document's text.
        end: one past the last.
        text: the passage.
        score: ranks the results, highest first; without it they stand in order.
        id: the passage's own id.
        verification: the verdict on its citation.
    """

    source: str
    start: str | None = None
    end: str | None = None
    text: str | None = None
    score: str | None = None
    id: str | None = None
    verification: str | None = None


class Folded(Contract):
    """Where a result names the duplicates that were folded into it.

    Attributes:
        list: dotted path of their list in a result.
        source: where a duplicate names its document.
        start: first code point.
        end: one past the last.
    """

    list: str
    source: str
    start: str | None = None
    end: str | None = None


class _Asked(Contract):
    """What all servers have in common.

    Attributes:
        results: dotted path of the list of results.
        fields: where a result holds what.
        folded: where it names its duplicates; None where it has none.
        root: folder that absolute sources lie in; what is below it is the source.
        timeout_seconds: how long an answer may take.
        limit: the most results that may be asked for.
    """

    results: str = "results"
    fields: Fields
    folded: Folded | None = None
    root: str = ""
    timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 60.0
    limit: Annotated[int, Field(ge=1, le=1000)] = 1000


class McpTarget(_Asked):
    """A tool of an MCP server, over stdio (`command`) or streamable HTTP (`url`).

    Attributes:
        arguments: of the tool; `{query}`, `{limit}` and `{source_class}` stand for what is asked.
        environment: variables that the server gets beside the usual ones.
        headers: sent with every HTTP request.
    """

    type: Literal["mcp"]
    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    url: str | None = None
    tool: str = "search"
    arguments: dict[str, Any] = Field(default={"query": "{query}", "limit": "{limit}"})
    environment: dict[str, str] = Field(default_factory=dict)
    headers: dict[str, str] = Field(default_factory=dict)


class RestTarget(_Asked):
    """An endpoint that answers in JSON.

    Attributes:
        body: sent as JSON; `{query}`, `{limit}` and `{source_class}` stand for what is asked.
        parameters: of the address, likewise.
    """

    type: Literal["rest"]
    url: str
    method: Literal["GET", "POST"] = "POST"
    body: dict[str, Any] | None = None
    parameters: dict[str, str] = Field(default_factory=dict)
    headers: dict[str, str] = Field(default_factory=dict)


class RunTarget(Contract):
    """A run that was kept: a TREC run file, or a result of `run --json` and one of its stages."""

    type: Literal["run"]
    path: str
    stage: str | None = None


Definition = McpTarget | RestTarget | RunTarget
_ADAPTER: TypeAdapter[Definition] = TypeAdapter(
    Annotated[McpTarget | RestTarget | RunTarget, Field(discriminator="type")]
)


def read_definitions(path: Path) -> dict[str, Definition]:
    """Read the targets of a TOML file, a table each; `${NAME}` is a variable's value.

    Raises:
        SettingsError: the file, a table or a variable is wrong.
        ResultError: the file cannot be read.
    """
    name = one_line(path.name)
    try:
        tables = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{name} is not TOML: {error}") from None
    if not tables or not all(isinstance(table, dict) for table in tables.values()):
        raise SettingsError(f"{name} holds no targets; write a table for each, such as [peer]")
    return {key: _definition(name, key, table) for key, table in tables.items()}


def _definition(name: str, key: str, table: dict[str, Any]) -> Definition:
    if not _NAME.fullmatch(key):
        raise SettingsError(f"{name}: a target's name has no white space, '=' or ','")
    try:
        found = _ADAPTER.validate_python(_tuples(_expanded(table, f"{name}: {key}")))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in (key, *first["loc"][1:]))
        raise SettingsError(f"{name}: {place}: {first['msg']}") from None
    if isinstance(found, McpTarget) and (found.command is None) == (found.url is None):
        raise SettingsError(f"{name}: {key}: name either the command or the url of the server")
    return found


def _expanded(value: Any, place: str) -> Any:
    if isinstance(value, dict):
        return {key: _expanded(part, place) for key, part in value.items()}
    if isinstance(value, list):
        return [_expanded(part, place) for part in value]
    return (
        _VARIABLE.sub(lambda found: _variable(found[1], place), value)
        if isinstance(value, str)
        else value
    )


def _variable(name: str, place: str) -> str:
    if name not in os.environ:
        raise SettingsError(f"{place}: the environment has no {name}")
    return os.environ[name]


def _tuples(table: dict[str, Any]) -> dict[str, Any]:
    """TOML has arrays only, and a strict contract takes tuples."""
    if isinstance(table.get("command"), list):
        return {**table, "command": tuple(table["command"])}
    return table
