"""A progress bar on standard error, when that is a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from groundkit_core.protocols import Progress


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """Give a progress callback that draws one bar a stage; None when nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    tasks: dict[str, TaskID] = {}
    with Bars(console=Console(stderr=True), transient=True) as bars:

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield show
