"""What the handlers work on, assembled once when the service starts."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.contracts import CollectionList
from groundkit_core.errors import CollectionBusyError, CollectionNotFoundError, StorageError

_log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from groundkit_core.settings import Settings
    from groundkit_mcp.sync import FolderSync
    from groundkit_retrieval import Collection


class ServiceContext:
    """The deployment that requests run in; no request changes it.

    Args:
        index_dir: the folder that holds the collections; made absolute now.
        collection: the collection that is asked when none is named.
        sync: what indexes a folder into a collection meanwhile, if anything does.
        patience: seconds that a search waits for the first sync to make the collection.
        settings: how collections are ranked, and what reranks [the defaults].
    """

    def __init__(
        self,
        index_dir: str | Path = ".groundkit",
        *,
        collection: str = "default",
        sync: FolderSync | None = None,
        patience: float = 5.0,
        settings: Settings | None = None,
    ) -> None:
        self.index_dir = Path(index_dir).expanduser().absolute()
        self._settings = settings
        self.default_collection = collection
        self.sync = sync
        self.patience = patience
        self._open: dict[str, Collection] = {}
        self._lock = threading.Lock()
        self._warming: threading.Thread | None = None

    def named(self, collection: str | None) -> str:
        """Return the name of the collection that a request means."""
        return self.default_collection if collection is None else collection

    def collection(self, name: str) -> Collection:
        """Return a collection, opened when it is first asked for and then kept.

        Raises:
            CollectionNotFoundError: there is no such collection.
            CollectionBusyError: it is being made by the sync that runs.
        """
        with self._lock:
            found = self._open.get(name)
            if found is None:
                found = self._open[name] = self._opened(name)
            return found

    def inventory(self) -> CollectionList:
        """Return the collections there are."""
        from groundkit_index import list_collections

        return list_collections(self.index_dir)

    def sync_of(self, name: str) -> FolderSync | None:
        """Return the sync that feeds a collection."""
        return self.sync if self.sync is not None and self.sync.collection == name else None

    def note_on(self, name: str) -> str | None:
        """Return what whoever asks a collection should know of its sync."""
        sync = self.sync_of(name)
        return sync.report().note if sync else None

    def start(self) -> None:
        """In the background, start the sync, import the engine and open the default collection."""
        if self._warming is None:
            self._warming = threading.Thread(target=self._warm, name="warm", daemon=True)
            self._warming.start()

    def abandon(self) -> None:
        """Stop the sync at once; for the end of the process, from any thread."""
        if self.sync is not None:
            self.sync.stop()

    def close(self) -> None:
        """Stop the sync and close what is open."""
        self.abandon()
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def _opened(self, name: str) -> Collection:
        from groundkit_core.settings import load_settings
        from groundkit_retrieval.opening import open_collection

        settings = self._settings or load_settings()
        try:
            return open_collection(
                settings.model_copy(update={"index_dir": self.index_dir}),
                name,
                lambda message: _log.info("%s", message),
            )
        except (CollectionNotFoundError, StorageError):
            # What is only half made yet looks damaged.
            sync = self.sync_of(name)
            if sync is None or not sync.running:
                raise
            raise CollectionBusyError(
                f"collection {name!r} is still being built; try again in a few seconds"
            ) from None

    def _warm(self) -> None:
        if self.sync is not None:
            self.sync.start()
        try:
            self.collection(self.default_collection)
        except Exception:  # noqa: BLE001  the request that needs it reports the error
            return
