"""All steps, the systems in turn."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from scripts.bench import phases
from scripts.bench.corpus import CHECKOUT
from scripts.bench.errors import BenchError
from scripts.bench.phases import Bench, Phase
from scripts.bench.systems import System

COLD_REPEATS = 5


def plan(repeats: int) -> tuple[tuple[str, Phase, int], ...]:
    """The steps in order: what each is called, what it does, how often."""
    cold = max(COLD_REPEATS, repeats) if repeats > 1 else 1
    return (
        ("ingest", phases.ingest_fresh, repeats),
        ("unchanged", phases.ingest_unchanged, repeats),
        ("edit", phases.edit_and_search, repeats),
        ("cold search", phases.search_cold, cold),
        ("warm search", phases.search_warm, repeats),
        ("MCP", phases.serve_mcp, repeats),
    )


def turns(systems: Sequence[System], repeat: int) -> list[System]:
    """Who goes when: the order is reversed every other repeat, so drift hits all alike."""
    return list(systems if repeat % 2 == 0 else reversed(systems))


def measure(bench: Bench, systems: Sequence[System], repeats: int) -> list[str]:
    """Take every system through every step.

    Returns:
        What failed, one line each. A system skips the rest of a step that failed it, and all
        later steps when that was the ingest.
    """
    failures: list[str] = []
    running = list(systems)
    for name, phase, times in plan(repeats):
        able = list(running)
        for repeat in range(times):
            for system in turns(able, repeat):
                _say(f"{name} {repeat + 1}/{times}: {system.name}")
                try:
                    phase(bench, system, repeat)
                except BenchError as error:
                    failures.append(_failure(bench, system, name, error))
                    _say(failures[-1])
                    able.remove(system)
        if phase is phases.ingest_fresh:
            running = able
    return failures


def _failure(bench: Bench, system: System, step: str, error: BenchError) -> str:
    """One line that may be published: without the paths of this machine."""
    message = " ".join(str(error).split())
    for folder in (bench.corpus, bench.work, CHECKOUT):
        message = message.replace(str(folder), folder.name)
    return f"{system.name}, {step}: {message}"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
