"""The reading process: a request a line on standard input, an answer a line on standard output.

It ends with its parent, leaves Ctrl-C to it, and may use only so much memory.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
from typing import IO

_OUT_OF_MEMORY = ("over_limit", "it needs more memory than it may")
_LONGEST = 2**31


def main() -> None:
    """Answer until standard input ends; `argv[1]` is the bytes of memory that may be added."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    out = _private_stdout()
    from groundkit_index.isolation.answering import answer

    _limit_memory(int(sys.argv[1]))
    while True:
        request = requests.get()
        try:
            line = answer(request)
        except MemoryError:
            line = None
        if line is None:  # what is left of it may be anywhere, so this process ends
            out.write(_refused())
            out.flush()
            return
        out.write(line + b"\n")
        out.flush()


def _refused() -> bytes:
    from groundkit_index.isolation.messages import ANSWER, Answer

    return ANSWER.dump_json(Answer(refusal=_OUT_OF_MEMORY)) + b"\n"


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


def _limit_memory(added: int) -> None:
    """Limit the address space, where the system can."""
    try:
        import resource
    except ImportError:
        return
    now = 0
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (now + added, hard))


if __name__ == "__main__":
    main()
