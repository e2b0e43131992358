"""Indexes a folder in a child process while the service answers."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from groundkit_core.contracts import IngestReport
from groundkit_mcp.inline import one_line, quoted
from groundkit_mcp.operations.outputs import SyncReport

RUNNING_NOTE = "the index is still being built; results may be incomplete"

_ADVICE = {
    "root_missing": "check that the folder given with --docs exists, then restart the server",
    "root_empty": "the folder is empty, so nothing was removed; check that it is mounted",
    "collection_busy": "another process is writing; restart the server to sync again",
    "storage_error": "check that the folder given with --index-dir can be written",
}
_ANY_ADVICE = "see the server's log for the cause, then restart the server"
_LOGGED_REFUSALS = 20

logger = logging.getLogger("groundkit_mcp.sync")


class FolderSync:
    """An incremental ingest of a folder, run in a child process so that serving stays fast.

    The child ends with this process, however this process ends; the index survives that.

    Args:
        docs: the folder.
        index_dir: the folder that holds the collections.
        collection: the collection to index into.
        watch: go on after the first ingest, with one more after each burst of changes.
    """

    def __init__(
        self, docs: str | Path, *, index_dir: str | Path, collection: str, watch: bool = False
    ) -> None:
        self.collection = collection
        self._watch = watch
        self._stopped = False
        self._docs = Path(docs).expanduser().absolute()
        self._index_dir = Path(index_dir).expanduser().absolute()
        self._process: subprocess.Popen[str] | None = None
        self._outcome: IngestReport | str | None = None
        self._began = time.monotonic()
        self._seconds = 0.0
        self._finished = threading.Event()

    @property
    def running(self) -> bool:
        """True until the outcome of the first ingest is known."""
        return not self._finished.is_set()

    def start(self) -> None:
        """Start the child; once."""
        self._began = time.monotonic()
        try:
            process = subprocess.Popen(  # noqa: S603  our own interpreter and module
                self._command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            self._finish(self._failure("internal", f"cannot start the sync: {error.strerror}"))
            return
        self._process = process
        pipes = (process, process.stdin, process.stdout)
        threading.Thread(target=self._relay, args=(process.stderr,), daemon=True).start()
        threading.Thread(target=self._collect, args=pipes, daemon=True).start()

    def wait(self, timeout: float) -> bool:
        """Wait until the outcome is known; False when the time is over before that."""
        return self._finished.wait(timeout)

    def stop(self) -> None:
        """End the child at once; safe at any time and in a signal handler."""
        self._stopped = True
        if self._process is not None:
            self._process.kill()

    def report(self) -> SyncReport:
        """Return the state of the sync."""
        outcome = self._outcome
        if outcome is None:
            seconds = time.monotonic() - self._began
            return self._report("running", seconds, note=RUNNING_NOTE)
        if isinstance(outcome, str):
            advice = _ADVICE.get(outcome, _ANY_ADVICE)
            note = f"the documents could not be indexed ({outcome}), results may be stale: {advice}"
            return self._report("failed", self._seconds, kind=outcome, note=note)
        return self._report("done", self._seconds, documents=outcome.documents)

    def _report(self, state: str, seconds: float, **rest: object) -> SyncReport:
        return SyncReport.model_validate(
            {"collection": self.collection, "state": state, "seconds": round(seconds, 3), **rest}
        )

    def _command(self) -> list[str]:
        # -P keeps modules of the working directory, which may be anybody's, from being imported.
        return [
            *(sys.executable, "-P", "-m", "groundkit_mcp.sync_child"),
            *("--index-dir", str(self._index_dir), "--collection", self.collection),
            *(("--watch",) if self._watch else ()),
            *("--", str(self._docs)),
        ]

    def _relay(self, stderr: IO[str]) -> None:
        with stderr:
            for line in stderr:
                logger.warning("sync: %s", one_line(line.rstrip("\n")))

    def _collect(self, process: subprocess.Popen[str], stdin: IO[str], stdout: IO[str]) -> None:
        with stdin, stdout:
            for line in stdout:
                self._finish(self._understood(line))
            process.wait()
        if self.running:
            self._finish(self._failure("internal", "the sync ended without a report"))
        elif self._watch and not self._stopped:
            self._finish(self._failure("internal", "the watch has ended"))

    def _understood(self, said: str) -> IngestReport | str:
        try:
            report = IngestReport.model_validate_json(said)
        except ValidationError:
            pass
        else:
            _log(report)
            return report
        try:
            error = json.loads(said)
            return self._failure(str(error["kind"]), str(error["message"]))
        except (ValueError, LookupError, TypeError):
            return self._failure("internal", "the sync ended without a report")

    def _failure(self, kind: str, message: str) -> str:
        logger.error("sync failed (%s): %s", kind, one_line(message))
        return kind

    def _finish(self, outcome: IngestReport | str) -> None:
        self._seconds = time.monotonic() - self._began
        self._outcome = outcome
        self._finished.set()


def _log(report: IngestReport) -> None:
    for note in report.notes:
        logger.warning("sync: %s", one_line(note))
    for refusal in report.refusals[:_LOGGED_REFUSALS]:
        logger.warning("sync refused %s (%s)", quoted(refusal.source), one_line(refusal.reason))
    if len(report.refusals) > _LOGGED_REFUSALS:
        logger.warning("sync refused %d more", len(report.refusals) - _LOGGED_REFUSALS)
