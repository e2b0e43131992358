"""The source class that a document gets unless a person says otherwise.

    | looks like                                                          | class     |
    |---------------------------------------------------------------------|-----------|
    | a configuration suffix                                              | config    |
    | a source-code suffix                                                | code      |
    | prose for agents: `CLAUDE.md`, `AGENTS.md`, `MEMORY.md`, ... or in  | memory    |
    | a folder `memory`, `memories`, `memory-bank`                        |           |
    | prose in a folder `adr`, `adrs`, `decisions`, `rfcs`, ... or with a | decisions |
    | name such as `adr-0012-queue.md`                                    |           |
    | any other prose                                                     | docs      |

The first line that fits decides. `docs/agents.md` is a page about agents, so the names of
memory files count in capitals only; `notes` is an ordinary folder.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundkit_core.kinds import Kind

if TYPE_CHECKING:
    from groundkit_core.contracts import SourceClass

_MEMORY_STEMS = frozenset(
    {"AGENT", "AGENTS", "CLAUDE", "CLAUDE.local", "GEMINI", "MEMORY", "copilot-instructions"}
)
_MEMORY_FOLDERS = frozenset({"memories", "memory", "memory-bank"})
_DECISION_FOLDERS = frozenset(
    {
        "adr",
        "adrs",
        "architecture-decisions",
        "architecture_decisions",
        "decision-records",
        "decisions",
        "rfc",
        "rfcs",
    }
)
_DECISION_STEM = re.compile(r"adr[-_ ]?\d+", re.IGNORECASE)


def classify(source: str, kind: Kind) -> SourceClass:
    """Return the source class of a document.

    Args:
        source: its path below the root, in POSIX form.
        kind: what kind of text it is.
    """
    if kind.name == "config":
        return "config"
    if kind.name == "code":
        return "code"
    *folders, name = source.split("/")
    stem = name.rpartition(".")[0] or name
    above = {folder.lower() for folder in folders}
    if stem in _MEMORY_STEMS or above & _MEMORY_FOLDERS:
        return "memory"
    if above & _DECISION_FOLDERS or _DECISION_STEM.match(stem):
        return "decisions"
    return "docs"
