"""Imports the engine when it is first needed, by one thread at a time.

Threads that import a package and its modules at once can each wait for what the other has begun,
and the import then fails.
"""

from __future__ import annotations

import threading

_lock = threading.Lock()


def import_engine() -> None:
    """Import `groundkit_retrieval` with the modules that the service uses."""
    with _lock:
        import groundkit_retrieval
        import groundkit_retrieval.access
        import groundkit_retrieval.opening  # noqa: F401  kept for whoever imports them next
