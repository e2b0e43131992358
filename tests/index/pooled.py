"""Ingests with worker processes, as a program with a main guard does.

Run as a script: `pooled.py FOLDER INDEX WORKERS MISHAP`. It prints the report as JSON. With the
mishap `kill`, one worker is killed when the first file is done; with `die`, the program itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys

from groundkit_index import IngestOptions, ingest, pool

# So that a corpus of a few files is worth the workers and makes several tasks.
pool._WORTH_BYTES = 0
pool._TASK_FILES = 4


def main(folder: str, index: str, workers: str, mishap: str) -> None:
    seen: list[int] = []

    def progress(stage: str, done: int, total: int) -> None:
        workers_alive = multiprocessing.active_children()
        seen.append(len(workers_alive))
        if done > 1:
            return
        if mishap == "kill" and workers_alive:
            os.kill(workers_alive[0].pid or 0, signal.SIGKILL)
        if mishap == "die":
            print([child.pid for child in workers_alive], flush=True)
            os.kill(os.getpid(), signal.SIGKILL)

    options = IngestOptions(workers=int(workers))
    report = ingest(folder, index_dir=index, options=options, progress=progress)
    print(max(seen), report.model_dump_json())


if __name__ == "__main__":
    main(*sys.argv[1:])
