from __future__ import annotations

import pytest

from groundkit_core.kinds import kind_of
from groundkit_index.sources import classify


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("readme.md", "docs"),
        ("docs/guide/setup.rst", "docs"),
        ("LICENSE.txt", "docs"),
        ("src/main.py", "code"),
        ("adr/tool.py", "code"),
        ("memory/store.py", "code"),
        ("pyproject.toml", "config"),
        (".github/workflows/ci.yml", "config"),
        ("adr/index.yaml", "config"),
        ("docs/adr/0001-queue.md", "decisions"),
        ("docs/ADR/0001-queue.md", "decisions"),
        ("adrs/a.txt", "decisions"),
        ("docs/decisions/old/a.md", "decisions"),
        ("rfcs/0042-text.md", "decisions"),
        ("docs/adr-0012-queue.md", "decisions"),
        ("ADR 7.md", "decisions"),
        ("CLAUDE.md", "memory"),
        ("packages/x/AGENTS.md", "memory"),
        ("MEMORY.md", "memory"),
        ("CLAUDE.local.md", "memory"),
        (".github/copilot-instructions.md", "memory"),
        ("memory/2026-01.md", "memory"),
        ("agent/memories/a/b.md", "memory"),
        ("memory/decisions/a.md", "memory"),
        ("docs/agents.md", "docs"),
        ("docs/memory.md", "docs"),
        ("notes/today.md", "docs"),
        ("docs/adrenaline.md", "docs"),
        ("decisions.md", "docs"),
        ("rfc.md", "docs"),
    ],
)
def test_suffix_folder_and_name_decide(source: str, expected: str) -> None:
    kind = kind_of(source)
    assert kind is not None
    assert classify(source, kind) == expected
