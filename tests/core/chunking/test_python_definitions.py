"""The line-based scan beside the parser of the language, over real modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import groundkit_core
from groundkit_core.chunking.code.definitions import outline
from groundkit_core.chunking.code.languages import LANGUAGES

MODULES = sorted(
    [
        *Path(groundkit_core.__file__).parent.rglob("*.py"),
        *Path(ast.__file__).parent.glob("a*.py"),
        *Path(ast.__file__).parent.glob("asyncio/*.py"),
    ]
)


def definitions(node: ast.AST, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield (*path, child.name)
            yield from definitions(child, (*path, child.name))
        else:
            yield from definitions(child, path)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_the_definitions_of_a_module_are_those_of_its_syntax_tree(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    marks = outline(text, LANGUAGES["python"]).marks
    assert {mark.path for mark in marks if mark.path} == set(definitions(ast.parse(text)))
