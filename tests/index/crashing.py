"""Runs ingests and rebuilds that end their process at a named point, as a crash would.

Run as a script, it reads lines of JSON, [point, operation, folder, index], and answers each with
the exit code of a process of its own: 9 at the point, 0 when the operation never came there.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

import groundkit_index.rebuild as rebuilding
from groundkit_index import ingest
from groundkit_index.catalog.outbox import Outbox
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.layout import CollectionPaths
from groundkit_index.lexical.writer import LexicalWriter

POINTS: dict[str, tuple[Any, str]] = {
    "making the version": (CollectionPaths, "set_current"),
    "opening the lexical index": (LexicalWriter, "__init__"),
    "offering all chunks": (Outbox, "offer_all"),
    "writing the first document": (CatalogWriter, "put_document"),
    "committing the catalog": (CatalogWriter, "_set_manifest"),
    "draining the outbox": (Outbox, "pending"),
    "committing the lexical index": (LexicalWriter, "commit"),
    "acknowledging": (Outbox, "acknowledge"),
    "closing the catalog": (CatalogWriter, "close"),
    "dropping the old version": (rebuilding, "prune"),
}


def run(point: str, operation: str, folder: str, index: str) -> None:
    """Run an operation in this process, which ends when it comes to the point."""
    owner, name = POINTS[point]
    setattr(owner, name, lambda *_args, **_kwargs: os._exit(9))
    if operation == "ingest":
        ingest(folder, index_dir=index)
    else:
        rebuilding.rebuild(index_dir=index)


def in_a_process(*request: str) -> int:
    """Fork, for the imports are done and no thread runs here; return the exit code."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            run(*request)
            code = 0
        except Exception:  # noqa: BLE001
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    for line in sys.stdin:
        print(in_a_process(*json.loads(line)), flush=True)
