"""The README names every tool, option and client."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundkit_mcp import OPERATIONS
from groundkit_mcp.cli import config, serve
from groundkit_mcp.clients import CLIENTS
from groundkit_mcp.operations.schemas import input_schema
from groundkit_mcp.rendering.present import BUDGET

README = Path(__file__).parents[2] / "packages/mcp/README.md"


@pytest.fixture(scope="module")
def readme() -> str:
    return README.read_text(encoding="utf-8")


def test_every_tool_is_described_with_its_arguments(readme: str) -> None:
    for operation in OPERATIONS:
        (row,) = (line for line in readme.splitlines() if line.startswith(f"| `{operation.name}`"))
        for argument in input_schema(operation.input_model)["properties"]:
            assert f"`{argument}`" in row, (operation.name, argument)


def test_every_option_and_client_is_named(readme: str) -> None:
    options = {option for command in (serve, config) for p in command.params for option in p.opts}
    assert {"--docs", "--index-dir", "--collection", "--client", "--debug"} <= options
    for word in (*options, *CLIENTS):
        assert word in readme


def test_the_stated_budget_is_the_real_one(readme: str) -> None:
    assert f"within {BUDGET:,} bytes" in readme
