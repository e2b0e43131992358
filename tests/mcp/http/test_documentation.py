"""The README tells of every route, scope, option and limit of the HTTP application."""

from __future__ import annotations

from pathlib import Path

from groundkit_mcp import OPERATIONS
from groundkit_mcp.cli import new
from groundkit_mcp.http import HttpSettings

README = Path(__file__).parents[3] / "packages/mcp/README.md"


def test_every_route_and_its_scope_are_named() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    for operation in OPERATIONS:
        row = f"| {operation.name} | `{operation.method} {operation.path}` | `{operation.scope}` |"
        assert row in lines


def test_the_stated_limits_are_the_real_ones() -> None:
    settings = HttpSettings()
    assert (settings.body_bytes, settings.body_seconds) == (1_000_000, 10)
    limits = settings.limits
    assert (limits.threads, limits.share, limits.waiting, limits.deadline) == (8, 6, 32, 10)
    assert settings.drain_seconds == 8
    text = README.read_text(encoding="utf-8")
    assert "at most 1 MB and ten seconds" in text
    assert "eight calls run at once, six of one principal, 32 more" in text
    assert "requests have eight seconds to end" in text


def test_the_options_of_tokens_are_named() -> None:
    text = README.read_text(encoding="utf-8")
    for parameter in new.params:
        assert all(option in text for option in parameter.opts)
