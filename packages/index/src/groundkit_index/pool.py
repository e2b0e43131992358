"""Reads files in worker processes when there are enough of them to pay for it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

from groundkit_index.isolation import read_isolated
from groundkit_index.outlines import has_grammars
from groundkit_index.reading import Job, Outcome, ReadSettings, read_file

_WORTH_BYTES = 4 * 2**20
_TASK_BYTES = 400_000
_TASK_FILES = 64

Done = tuple[Job, Outcome]


def read_files(jobs: Sequence[Job], settings: ReadSettings, workers: int) -> Iterator[Done]:
    """Yield each job with its outcome: texts in order, then what needs a loader in order.

    Args:
        jobs: the documents to read.
        settings: the same for all.
        workers: processes to use at the most; 1, or little to read, stays in this one.
    """
    yield from _read_texts([job for job in jobs if not _apart(job)], settings, workers)
    yield from read_isolated([job for job in jobs if _apart(job)], settings, workers)


def _apart(job: Job) -> bool:
    """Return whether a document is parsed by a library that may not end, or crash."""
    return job.kind.extracted or (job.kind.name == "code" and has_grammars())


def _read_texts(jobs: Sequence[Job], settings: ReadSettings, workers: int) -> Iterator[Done]:
    done = 0
    if workers > 1 and sum(job.size for job in jobs) >= _WORTH_BYTES:
        # A worker that the system ended (out of memory, say) costs speed, not the run.
        with contextlib.suppress(BrokenProcessPool):
            for result in _pooled(jobs, settings, workers):
                yield result
                done += 1
    for job in jobs[done:]:
        yield job, read_file(job, settings)


def _pooled(jobs: Sequence[Job], settings: ReadSettings, workers: int) -> Iterator[Done]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_start_worker) as pool:
        try:
            yield from _in_order(pool, jobs, settings, workers)
        finally:
            pool.shutdown(cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor, jobs: Sequence[Job], settings: ReadSettings, workers: int
) -> Iterator[Done]:
    running: deque[Future[list[Done]]] = deque()
    for task in _tasks(jobs):
        running.append(pool.submit(_read_task, task, settings))
        if len(running) > 2 * workers:
            yield from running.popleft().result()
    while running:
        yield from running.popleft().result()


def _tasks(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    task: list[Job] = []
    size = 0
    for job in jobs:
        task.append(job)
        size += job.size
        if size >= _TASK_BYTES or len(task) >= _TASK_FILES:
            yield task
            task, size = [], 0
    if task:
        yield task


def _read_task(jobs: list[Job], settings: ReadSettings) -> list[Done]:
    return [(job, read_file(job, settings)) for job in jobs]


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
