"""Reads documents of extracted formats, each in a process that can be ended."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.isolation.messages import ANSWER, REQUEST, Read
from groundkit_index.isolation.process import IsolatedProcess
from groundkit_index.loaders.protocol import Limits
from groundkit_index.reading import Job, Outcome, ReadSettings

_WORTH_BYTES = 2**20
_AHEAD = 8


def read_isolated(
    jobs: Sequence[Job], settings: ReadSettings, workers: int
) -> Iterator[tuple[Job, Outcome]]:
    """Yield each job with its outcome, in order.

    Args:
        jobs: documents whose text is extracted.
        settings: the same for all.
        workers: processes to use at the most; little to read takes one.
    """
    if not jobs:
        return
    wanted = min(workers, len(jobs)) if sum(job.size for job in jobs) >= _WORTH_BYTES else 1
    limits = Limits()
    free: queue.SimpleQueue[IsolatedProcess] = queue.SimpleQueue()
    processes = [IsolatedProcess(limits.seconds, limits.memory_bytes) for _ in range(wanted)]
    for process in processes:
        free.put(process)

    def read(job: Job) -> Outcome:
        process = free.get()
        try:
            return _outcome(process, job, settings)
        finally:
            free.put(process)

    threads = ThreadPoolExecutor(wanted, thread_name_prefix="groundkit-read")
    try:
        running: deque[tuple[Job, Future[Outcome]]] = deque()
        for job in jobs:
            running.append((job, threads.submit(read, job)))
            if len(running) > _AHEAD * wanted:
                first, future = running.popleft()
                yield first, future.result()
        while running:
            first, future = running.popleft()
            yield first, future.result()
    finally:
        for process in processes:
            process.close()
        threads.shutdown(cancel_futures=True)
        for process in processes:
            process.wait()


def _outcome(process: IsolatedProcess, job: Job, settings: ReadSettings) -> Outcome:
    request = REQUEST.dump_json(Read(job, settings))
    try:
        answer = ANSWER.validate_json(process.ask(request))
    except DocumentRefusedError as error:
        return Outcome(refusal=(error.reason, str(error)))
    if answer.outcome is not None:
        return answer.outcome
    reason, detail = answer.refusal or ("crashed", "it was not read")
    return Outcome(refusal=(reason, f"{reason}: {detail}"))
