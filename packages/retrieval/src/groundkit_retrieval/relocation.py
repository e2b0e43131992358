"""Finds quotes in documents that have changed since their text was extracted."""

from __future__ import annotations

import base64
import threading
from pathlib import Path

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.catalog.records import ChunkRecord
from groundkit_index.isolation import IsolatedProcess
from groundkit_index.isolation.messages import ANSWER, REQUEST, Draw, Locate, Located, Quoted
from groundkit_index.loaders.protocol import Limits

_SECONDS = 10.0
_MAX_BYTES = 2**31


class Relocator:
    """Extracts a document again in a process of its own, which is started when first needed.

    Args:
        seconds: how long one document may take; one that takes longer is not found.
    """

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._process = IsolatedProcess(seconds, Limits().memory_bytes)
        self._lock = threading.Lock()

    def locate(self, record: ChunkRecord, root: str, snapshots: Path) -> Located | None:
        """Return where a chunk stands in its document now; None when that cannot be told."""
        quote = Quoted(record.content, record.prefix, record.suffix, record.start)
        asked = Locate(root, str(snapshots), record.source, record.kind, _MAX_BYTES, (quote,))
        with self._lock:
            try:
                answer = ANSWER.validate_json(self._process.ask(REQUEST.dump_json(asked)))
            except DocumentRefusedError:
                return None
        return answer.located[0] if answer.located else None

    def draw(self, asked: Draw) -> bytes:
        """Return a page as a PNG image with rectangles on it.

        Raises:
            DocumentRefusedError: it cannot be drawn.
        """
        with self._lock:
            answer = ANSWER.validate_json(self._process.ask(REQUEST.dump_json(asked)))
        if answer.image is None:
            raise DocumentRefusedError(*(answer.refusal or ("broken", "it cannot be drawn")))
        return base64.b64decode(answer.image)

    def close(self) -> None:
        """End the process."""
        self._process.close()
        with self._lock:
            self._process.wait()
