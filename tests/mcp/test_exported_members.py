from __future__ import annotations

import subprocess
import sys

import pytest

import groundkit_mcp


def test_public_names_are_these() -> None:
    assert groundkit_mcp.__all__ == ["OPERATIONS", "Operation", "ServiceContext", "build_server"]
    for name in groundkit_mcp.__all__:
        assert getattr(groundkit_mcp, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        groundkit_mcp.nonsense  # noqa: B018


def test_importing_the_package_imports_no_protocol_stack() -> None:
    script = (
        "import sys, groundkit_mcp.cli;"
        "print(*sorted({'fastmcp', 'mcp', 'pydantic', 'groundkit_index'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"
