"""A progress bar on a terminal's stderr, nothing elsewhere."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundkit_core.protocols import Progress

if TYPE_CHECKING:
    from rich.progress import TaskID


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """Yield a callback that moves the bar, or None where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total, rate="")
            elapsed = bar.tasks[tasks[stage]].elapsed
            rate = f"{done / elapsed:.0f}/s" if elapsed else ""
            bar.update(tasks[stage], completed=done, total=total, rate=rate)

        yield show
