"""The child process that indexes a folder and prints each report as a line of JSON.

It reads its standard input only to see it end: then the parent is gone, and so is the child.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import threading
import traceback
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groundkit_core.contracts import IngestReport

_NICENESS = 5


def main() -> int:
    """Index the folder named on the command line; 0 when that is done, 1 when it failed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    given = _arguments()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICENESS)
    with _stdout_for_report() as report:
        try:
            for done in _reports(given):
                report.write(f"{done.model_dump_json()}\n")
                report.flush()
        except Exception as error:  # noqa: BLE001  everything becomes a report
            report.write(f"{json.dumps(_described(error))}\n")
            return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("docs")
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("--index-dir", required=True)
    parser.add_argument("--collection", required=True)
    return parser.parse_args()


def _reports(given: argparse.Namespace) -> Iterator[IngestReport]:
    from groundkit_core.settings import load_settings
    from groundkit_index.watching import keep_in_step
    from groundkit_retrieval.cli.options import ingest_options

    settings = load_settings(index_dir=given.index_dir, collection=given.collection)
    run = keep_in_step if given.watch else _once
    yield from run(
        given.docs,
        index_dir=settings.index_dir,
        collection=settings.collection,
        options=ingest_options(settings),
        notice=_notice,
    )


def _once(docs: str, **how: Any) -> Iterator[IngestReport]:
    from groundkit_index import ingest

    yield ingest(docs, **how)


def _notice(message: str) -> None:
    sys.stderr.write(f"{message}\n")


def _described(error: Exception) -> dict[str, str]:
    from groundkit_core.errors import GroundkitError, StorageError

    if isinstance(error, GroundkitError):
        return {"kind": error.kind, "message": str(error)}
    if isinstance(error, OSError) and error.strerror:
        return {"kind": StorageError.kind, "message": error.strerror}
    place = traceback.extract_tb(error.__traceback__)[-1]
    message = f"{type(error).__name__} in {place.name}, line {place.lineno}"
    return {"kind": "internal", "message": message}


@contextlib.contextmanager
def _stdout_for_report() -> Iterator[IO[str]]:
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with report:
        yield report


def _end_with_parent() -> None:
    while os.read(0, 1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
