"""Writes docs/operations.md: each operation on every surface, from the registry and the commands.

Run as `python -m scripts.operations_reference`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from groundkit_mcp.operations import Operation
from groundkit_mcp.operations.registry import TOOLSETS
from groundkit_mcp.operations.schemas import input_schema, output_schema
from groundkit_retrieval.cli.app import groundkit

PAGE = Path(__file__).resolve().parent.parent / "docs" / "operations.md"

ARGUMENTS_WITHOUT_OPTION = {
    ("search", "cursor"): "the command answers once, without pages",
    ("list_collections", "limit"): "the command lists all",
    ("list_collections", "offset"): "the command lists all",
}
"""Arguments that the command of their operation does not take, each with the reason."""

OPTIONS_WITHOUT_ARGUMENT = {
    "index_dir": "a server is bound to one index folder when it starts",
    "as_json": "REST and structured results are JSON already",
    "fusion": "how a search ranks belongs to whoever runs the service",
    "alpha": "how a search ranks belongs to whoever runs the service",
    "rerank": "how a search ranks belongs to whoever runs the service",
    "reranker": "how a search ranks belongs to whoever runs the service",
    "reranker_model": "how a search ranks belongs to whoever runs the service",
    "image": "boxes come with a fetched passage; pages are drawn where the index is",
}
"""Options that no operation takes, each with the reason."""

_INTRODUCTION = """\
# Operations

What groundkit can be asked, on every surface: MCP, REST and the command line. Written by
`python -m scripts.operations_reference` from the registry (`groundkit_mcp.operations.registry`)
and the commands themselves; a test compares.

`/openapi.json` describes the models of results in full. A scope is what a token must carry over
HTTP. A command reads the index without a server: it needs no token, and with `--json` it prints
the same contracts without paging and without what only a server knows.
"""

Json = dict[str, Any]


def reference() -> str:
    """Return the page."""
    sections = [
        section(operation, toolset)
        for toolset, operations in TOOLSETS.items()
        for operation in operations
    ]
    return "\n".join([_INTRODUCTION, *sections, _only_commands()])


def section(operation: Operation, toolset: str) -> str:
    """Return what is told of one operation, as a member of a toolset."""
    lines = [
        f"## {operation.name}" if toolset == "full" else f"## {operation.name} ({toolset})",
        "",
        operation.summary,
        "",
        *_table(("surface", "how"), _surfaces(operation, toolset)),
        "",
        *_table(("argument", "type", "default", "REST", "command line"), _arguments(operation)),
        "",
        f"Returns `{operation.output_model.__name__}`:",
        "",
        *_table(("field", "type"), _fields(operation)),
        "",
    ]
    return "\n".join(lines)


def command_of(words: str) -> click.Command:
    """Return a command by the words after `groundkit`.

    Raises:
        LookupError: there is no such command.
    """
    found: click.Command = groundkit
    for word in words.split():
        inner = found.commands.get(word) if isinstance(found, click.Group) else None
        if inner is None:
            raise LookupError(f"there is no command 'groundkit {words}'")
        found = inner
    return found


def parameter_of(operation: Operation, argument: str) -> click.Parameter | None:
    """Return the parameter of the operation's command that gives an argument, if there is one."""
    if operation.command is None:
        return None
    parameters = command_of(operation.command).params
    return next((one for one in parameters if one.name == argument), None)


def place(operation: Operation, argument: str) -> str:
    """Return where an argument stands in a REST request: `path`, `query` or `body`."""
    if f"{{{argument}}}" in operation.path:
        return "path"
    return "body" if operation.method == "POST" else "query"


def _surfaces(operation: Operation, toolset: str) -> Iterator[tuple[str, str]]:
    offered = "" if toolset == "full" else f", with `--profile-tools {toolset}`"
    yield "MCP tool", f"`{operation.name}`{offered}"
    yield "REST", f"`{operation.method} {operation.path}`{offered}"
    yield "command", f"`groundkit {operation.command}`" if operation.command else "none"
    yield "scope", f"`{operation.scope}`"


def _arguments(operation: Operation) -> Iterator[tuple[str, ...]]:
    schema = input_schema(operation.input_model)
    for name, prop in schema["properties"].items():
        default = "required" if name in schema["required"] else _default(prop)
        given = _given(operation, name)
        yield f"`{name}`", _type(prop), default, place(operation, name), given


def _given(operation: Operation, argument: str) -> str:
    parameter = parameter_of(operation, argument)
    if parameter is not None:
        return f"`{spelled(parameter)}`"
    reason = ARGUMENTS_WITHOUT_OPTION.get((operation.name, argument))
    return f"none: {reason}" if operation.command and reason else "none"


def spelled(parameter: click.Parameter) -> str:
    """Return how a parameter is written on the command line."""
    if isinstance(parameter, click.Option):
        return "/".join((*parameter.opts, *parameter.secondary_opts))
    return parameter.human_readable_name


def _fields(operation: Operation) -> Iterator[tuple[str, str]]:
    for name, prop in output_schema(operation.output_model)["properties"].items():
        yield f"`{name}`", _type(prop)


def _default(prop: Json) -> str:
    return f"`{prop['default']}`" if "default" in prop else "none"


def _type(prop: Json) -> str:
    """Return a JSON schema in words."""
    if "anyOf" in prop:
        return " or ".join(_type(branch) for branch in prop["anyOf"])
    if "$ref" in prop:
        return f"`{prop['$ref'].rpartition('/')[2]}`"
    if "enum" in prop:
        return ", ".join(f"`{value}`" for value in prop["enum"])
    if prop["type"] == "array":
        return f"list of {_type(prop['items'])}"
    if prop["type"] == "object":
        return f"object of {_type(prop['additionalProperties'])}"
    return f"{prop['type']}{_bounds(prop)}"


def _bounds(prop: Json) -> str:
    if "maximum" in prop:
        return f", {prop['minimum']:,} to {prop['maximum']:,}"
    if "maxLength" in prop:
        return f", {prop['minLength']:,} to {prop['maxLength']:,} characters"
    return ""


def _only_commands() -> str:
    found = {
        parameter.name: spelled(parameter)
        for operations in TOOLSETS.values()
        for operation in operations
        if operation.command is not None
        for parameter in command_of(operation.command).params
    }
    rows = [(f"`{found[name]}`", why) for name, why in OPTIONS_WITHOUT_ARGUMENT.items()]
    heading = "## Only on the command line"
    return "\n".join([heading, "", *_table(("option", "why no operation takes it"), rows), ""])


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        cells = (cell.replace("|", r"\|") for cell in row)
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the page."""
    PAGE.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
