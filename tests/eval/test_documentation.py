from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from groundkit_eval.cli.app import cli
from groundkit_eval.judgments.model import Judgment
from groundkit_eval.measures.ranking import MEASURES
from groundkit_eval.measures.selection import FAMILIES, SPAN_KINDS
from groundkit_eval.stages import STAGES
from groundkit_eval.targets.matrix import KEYS

PACKAGE = Path(__file__).parents[2] / "packages" / "eval"


@pytest.fixture(scope="module")
def readme() -> str:
    return (PACKAGE / "README.md").read_text(encoding="utf-8")


def commands() -> Iterator[tuple[str, click.Command]]:
    for name, command in cli.commands.items():
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", found) for inner, found in command.commands.items())


def test_every_command_and_option_is_documented(readme: str) -> None:
    for name, command in commands():
        assert f"groundkit-eval {name}" in readme
        for parameter in command.params:
            for option in parameter.opts:
                assert option.upper() in readme or f"`{option}" in readme or f" {option} " in readme


def test_every_field_measure_and_stage_is_documented(readme: str) -> None:
    for field in Judgment.model_fields:
        assert f'"{field}"' in readme or f"`{field}`" in readme
    for measure in {name.split("@")[0] for name in MEASURES}:
        assert measure in readme.lower()
    for stage in STAGES:
        assert f"`{stage}`" in readme
    for family in (*FAMILIES, *SPAN_KINDS):
        assert f"`{family}`" in readme or f"`{family}@" in readme
    for key in KEYS:
        assert f"`{key}`" in readme


def test_the_example_judgments_are_well_formed(readme: str) -> None:
    blocks = re.findall(r"```json\n(.*?)```", readme, flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith('{"id"')]
    assert len(lines) >= 2
    for line in lines:
        Judgment.model_validate_json(line)
