"""What the handlers work on, assembled once when the service starts."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.contracts import CollectionList, CollectionSummary
from groundkit_core.errors import (
    CollectionBusyError,
    CollectionNotFoundError,
    NotFoundError,
    StorageError,
)
from groundkit_core.settings import load_settings
from groundkit_mcp.bindings import Bindings
from groundkit_mcp.cursors import Cursors
from groundkit_mcp.engine import import_engine
from groundkit_mcp.errors import NoDefaultCollectionError

_log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from groundkit_core.access import Profile
    from groundkit_core.settings import Settings
    from groundkit_mcp.auth.caller import Caller
    from groundkit_mcp.sync import FolderSync
    from groundkit_retrieval import Collection


class ServiceContext:
    """The deployment that requests run in; no request changes it.

    Args:
        index_dir: the folder that holds the collections; made absolute now.
        collection: the collection that is asked when none is named.
        sync: what indexes a folder into a collection meanwhile, if anything does.
        patience: seconds that a search waits for the first sync to make the collection.
        settings: how collections are ranked, what reranks, and who may see what [the defaults].
        cursors: sign where the rest of an answer begins [with a key of this process].
        warmed: called once the engine is loaded and the default collection was opened.

    Raises:
        PolicyError: the policy that the settings name cannot be used.
    """

    def __init__(
        self,
        index_dir: str | Path = ".groundkit",
        *,
        collection: str = "default",
        sync: FolderSync | None = None,
        patience: float = 5.0,
        settings: Settings | None = None,
        cursors: Cursors | None = None,
        warmed: Callable[[], None] | None = None,
    ) -> None:
        self.index_dir = Path(index_dir).expanduser().absolute()
        self._settings = settings or load_settings()
        self.bindings = Bindings(self._settings)
        self.cursors = cursors or Cursors()
        self.default_collection = collection
        self.sync = sync
        self.patience = patience
        self._open: dict[str, Collection] = {}
        self._lock = threading.Lock()
        self._warmed = warmed
        self._warming: threading.Thread | None = None

    def named(self, collection: str | None) -> str:
        """Return the name of the collection that a request means."""
        return self.default_collection if collection is None else collection

    def default_for(self, caller: Caller) -> str | None:
        """Return the collection that is asked by default; None when the caller may not know it."""
        name = self.default_collection
        return name if self.bindings.profile(caller).reads_collection(name) else None

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

    def seen(self, given: str | None, caller: Caller) -> Collection:
        """Return a collection as a caller may see it; the default one when none is named.

        Raises:
            CollectionNotFoundError: there is none that the caller may know of; the message names
                those it may.
            NoDefaultCollectionError: none is named, and the caller may not know the default one.
            CollectionBusyError: it is being made by the sync that runs.
        """
        name = self.named(given)
        reader = self.bindings.reader(caller)
        profile = reader.current()[1]
        known = profile.reads_collection(name)
        if known:
            with contextlib.suppress(CollectionNotFoundError):
                return self.collection(name).as_seen_by(reader)
        others = [other for other in self._names(profile) if other != name]
        if given is None and not known:
            raise NoDefaultCollectionError(others)
        raise CollectionNotFoundError(name, others)

    def inventory(self, caller: Caller) -> CollectionList:
        """Return the collections that a caller may know of, with counts of what it may see."""
        found = []
        for name in self._names(self.bindings.profile(caller)):
            try:
                status = self.seen(name, caller).status()
            except (NotFoundError, StorageError):
                continue
            found.append(
                CollectionSummary(
                    name=name,
                    documents=status.documents,
                    chunks=status.chunks,
                    generation=status.generation,
                )
            )
        return CollectionList(collections=tuple(found))

    def _names(self, profile: Profile) -> list[str]:
        from groundkit_index.layout import collection_names

        return [name for name in collection_names(self.index_dir) if profile.reads_collection(name)]

    def generations(self) -> dict[str, tuple[int, int]]:
        """Return generation and pending changes of the open collections; for operators only."""
        found = {}
        for name, collection in list(self._open.items()):
            with contextlib.suppress(NotFoundError, StorageError):
                found[name] = collection.progress()
        return found

    def sync_of(self, name: str, caller: Caller) -> FolderSync | None:
        """Return the sync that feeds a collection; None, too, when the caller may not know it."""
        if self.sync is None or not self.bindings.profile(caller).reads_collection(name):
            return None
        return self._feeding(name)

    def start(self) -> None:
        """In the background, start the sync, import the engine and open the default collection."""
        if self._warming is None:
            self.bindings.announce()
            self._warming = threading.Thread(target=self._warm, name="warm", daemon=True)
            self._warming.start()

    def ready(self) -> bool:
        """Return whether the default collection can be asked, and the policy is good.

        Opens the collection when it is not open yet.
        """
        if self.bindings.problems:
            return False
        try:
            self.collection(self.default_collection)
        except Exception:  # noqa: BLE001  the request that needs it reports the error
            return False
        return True

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

    def _feeding(self, name: str) -> FolderSync | None:
        return self.sync if self.sync is not None and self.sync.collection == name else None

    def _opened(self, name: str) -> Collection:
        import_engine()
        from groundkit_retrieval.opening import open_collection

        try:
            return open_collection(
                self._settings.model_copy(update={"index_dir": self.index_dir}),
                name,
                lambda message: _log.info("%s", message),
            )
        except (CollectionNotFoundError, StorageError):
            # What is only half made yet looks damaged.
            sync = self._feeding(name)
            if sync is None or not sync.running:
                raise
            raise CollectionBusyError(
                f"collection {name!r} is still being built; try again in a few seconds"
            ) from None

    def _warm(self) -> None:
        if self.sync is not None:
            self.sync.start()
        self.ready()
        if self._warmed is not None:
            self._warmed()
