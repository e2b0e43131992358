"""A progress bar on a terminal's stderr, nothing elsewhere."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from groundkit_core.protocols import Progress


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """Yield a callback that moves the bar, or None where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield show
