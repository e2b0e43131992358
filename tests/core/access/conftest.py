from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write the policy file as an operator should: beside it, then renamed over it."""

    def replace(text: str) -> Path:
        fresh = tmp_path / "policy.toml.new"
        fresh.write_text(text, encoding="utf-8")
        return fresh.replace(tmp_path / "policy.toml")

    return replace
