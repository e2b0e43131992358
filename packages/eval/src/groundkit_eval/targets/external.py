"""Targets outside of this process as systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from groundkit_core.errors import SettingsError
from groundkit_eval.judgments.problems import one_line
from groundkit_eval.systems import Opened, System
from groundkit_eval.targets import mcp, rest
from groundkit_eval.targets.definitions import (
    MAX_TARGETS,
    Definition,
    McpTarget,
    RestTarget,
    RunTarget,
    read_definitions,
)
from groundkit_eval.targets.kept import open_kept, read_run


def external_systems(
    paths: Iterable[Path], names: Mapping[str, str], root: str = ""
) -> list[System]:
    """Return the systems that files name: a TOML file of targets, a run file, or a result.

    Args:
        paths: the files.
        names: source -> document id, where files stand for the documents of a judged set.
        root: folder of the documents, for targets that tell absolute sources and name none.

    Raises:
        SettingsError: a file of targets is wrong, or there are too many.
        ResultError: a file cannot be read.
    """
    systems: list[System] = []
    for path in paths:
        if path.suffix == ".toml":
            for name, definition in read_definitions(path).items():
                rooted = _rooted(definition, root)
                systems.extend(_systems(name, rooted, path.parent, names))
        else:
            systems.extend(_kept(path, None, ""))
    if len(systems) > MAX_TARGETS:
        raise SettingsError(f"{len(systems)} targets; at most {MAX_TARGETS} are run together")
    return [_distinct(system, number, systems) for number, system in enumerate(systems)]


def _distinct(system: System, number: int, systems: list[System]) -> System:
    """Return a system under a name that no system before it has."""
    if any(other.name == system.name for other in systems[:number]):
        return replace(system, name=f"{system.name} ({number + 1})")
    return system


def _rooted(definition: Definition, root: str) -> Definition:
    if isinstance(definition, RunTarget) or definition.root:
        return definition
    return definition.model_copy(update={"root": root})


def _systems(
    name: str, definition: Definition, folder: Path, names: Mapping[str, str]
) -> list[System]:
    if isinstance(definition, RunTarget):
        return _kept(folder / definition.path, definition.stage, name)
    summary, opened = _server(name, definition, names)
    return [
        System(
            name=name,
            summary=summary,
            open=opened,
            settings={"target": definition.type},
            most=definition.limit,
            inputs=definition.model_dump_json(),
        )
    ]


def _server(
    name: str, definition: McpTarget | RestTarget, names: Mapping[str, str]
) -> tuple[str, Opened]:
    if isinstance(definition, McpTarget):
        return mcp.described(definition), partial(mcp.open_mcp, name, definition, names)
    return rest.described(definition), partial(rest.open_rest, name, definition, names)


def _kept(path: Path, stage: str | None, name: str) -> list[System]:
    found = read_run(path)
    if stage is not None and stage not in found:
        raise SettingsError(
            f"{one_line(path.name)} has no stage {stage}; it has {', '.join(found)}"
        )
    chosen = {stage: found[stage]} if stage is not None else found
    if len(chosen) > 1 and name:
        raise SettingsError(f"target {name}: {one_line(path.name)} has several stages; name one")
    return [
        System(
            name or known,
            f"run kept in {one_line(path.name)}",
            partial(open_kept, answers),
            {"target": "run"},
            most=None,
            inputs=sha256(path.read_bytes()).hexdigest(),
        )
        for known, answers in chosen.items()
    ]
