"""The reference is current, and what operations and commands take is the same or explained."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from scripts.operations_reference import (
    ARGUMENTS_WITHOUT_OPTION,
    OPTIONS_WITHOUT_ARGUMENT,
    PAGE,
    command_of,
    parameter_of,
    place,
    reference,
)

from groundkit_mcp import OPERATIONS
from groundkit_mcp.operations import Operation
from groundkit_mcp.operations.registry import TOOLSETS
from groundkit_mcp.operations.schemas import JsonSchema, input_schema

WITH_COMMAND = [operation for operation in OPERATIONS if operation.command is not None]


def arguments(operation: Operation) -> dict[str, JsonSchema]:
    found: dict[str, JsonSchema] = input_schema(operation.input_model)["properties"]
    return found


def shared() -> Iterator[tuple[str, JsonSchema, click.Parameter]]:
    for operation in WITH_COMMAND:
        for name, schema in arguments(operation).items():
            parameter = parameter_of(operation, name)
            if parameter is not None:
                yield f"{operation.name}.{name}", schema, parameter


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "run python -m scripts.operations_reference"
    )


def test_every_operation_of_every_toolset_has_a_section() -> None:
    headings = [line for line in reference().splitlines() if line.startswith("## ")]
    expected = [
        f"## {operation.name}" if toolset == "full" else f"## {operation.name} ({toolset})"
        for toolset, operations in TOOLSETS.items()
        for operation in operations
    ]
    assert headings == [*expected, "## Only on the command line"]


def test_every_command_that_is_named_exists() -> None:
    assert {operation.command for operation in WITH_COMMAND} == {
        "search",
        "show",
        "collections",
        "status",
    }
    for operation in WITH_COMMAND:
        assert operation.command is not None
        assert not isinstance(command_of(operation.command), click.Group)


@pytest.mark.parametrize("words", ["nothing", "search more", "policy nothing"])
def test_a_command_that_does_not_exist_is_not_found(words: str) -> None:
    with pytest.raises(LookupError, match=f"groundkit {words}"):
        command_of(words)


def test_every_argument_is_taken_by_the_command_or_explained() -> None:
    without = {
        (operation.name, name)
        for operation in WITH_COMMAND
        for name in arguments(operation)
        if parameter_of(operation, name) is None
    }
    assert without == set(ARGUMENTS_WITHOUT_OPTION)


def test_every_option_of_a_command_is_an_argument_or_explained() -> None:
    without = {
        parameter.name
        for operation in WITH_COMMAND
        for parameter in command_of(operation.command or "").params
        if parameter.name not in arguments(operation)
    }
    assert without == set(OPTIONS_WITHOUT_ARGUMENT)


def test_every_explanation_has_a_reason() -> None:
    for reason in (*ARGUMENTS_WITHOUT_OPTION.values(), *OPTIONS_WITHOUT_ARGUMENT.values()):
        assert len(reason.split()) > 3


def test_what_both_take_has_the_same_default_and_is_required_alike() -> None:
    for operation in WITH_COMMAND:
        command = command_of(operation.command or "")
        required = input_schema(operation.input_model)["required"]
        assert [one.name for one in command.params if one.required] == required
        parsed = command.make_context("groundkit", ["word"] * len(required)).params
        for name in (set(arguments(operation)) & set(parsed)) - set(required):
            assert parsed[name] == arguments(operation)[name].get("default"), (operation.name, name)


def test_every_value_of_an_argument_is_one_of_the_command() -> None:
    chosen = {where: p.type for where, s, p in shared() if "enum" in s}
    assert set(chosen) == {"search.mode", "search.source_class", "search.confidence"}
    for where, schema, parameter in shared():
        if "enum" in schema:
            assert isinstance(parameter.type, click.Choice), where
            assert set(schema["enum"]) <= set(parameter.type.choices), where


def test_an_argument_stands_where_the_route_takes_it() -> None:
    places = {
        (operation.name, name): place(operation, name)
        for operation in OPERATIONS
        for name in arguments(operation)
    }
    assert places["search", "query"] == "body"
    assert places["fetch_chunk", "chunk_id"] == "path"
    assert places["fetch_chunk", "context"] == "query"
