"""The reading process: a request a line on standard input, an answer a line on standard output.

It ends with its parent, leaves Ctrl-C to it, and may use only so much memory.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from typing import IO, TYPE_CHECKING

from groundkit_index.isolation.framing import LAST, MORE, READY

if TYPE_CHECKING:
    from groundkit_index.isolation.messages import Answer

_OUT_OF_MEMORY = ("over_limit", "it needs more memory than it may")


def main() -> None:
    """Answer until standard input ends; `argv[1]` is the bytes of memory that may be added."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    out = _private_stdout()
    from groundkit_index.isolation.answering import answer
    from groundkit_index.isolation.memory import MemoryLimit
    from groundkit_index.isolation.messages import ANSWER, Answer

    limit = MemoryLimit(int(sys.argv[1]))
    out.write(READY)
    out.flush()
    while True:
        request = requests.get()
        try:
            found = answer(request)
        except MemoryError:
            found = Answer(refusal=_OUT_OF_MEMORY)
        short = limit.reached
        if short and _failed(found):
            found = Answer(refusal=_OUT_OF_MEMORY)
        out.write((LAST if short else MORE) + ANSWER.dump_json(found) + b"\n")
        out.flush()
        if short:  # what it took may never come back, so the next document gets a fresh process
            return


def _failed(found: Answer) -> bool:
    return found.refusal is not None or (found.outcome is not None and bool(found.outcome.refusal))


def _receive(stream: IO[bytes], requests: queue.SimpleQueue[bytes]) -> None:
    for line in stream:
        requests.put(line)
    os._exit(0)


def _private_stdout() -> IO[bytes]:
    """Keep what libraries print away from the answers."""
    private = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
    return private


if __name__ == "__main__":
    main()
