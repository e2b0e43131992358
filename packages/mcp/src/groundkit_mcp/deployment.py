"""Assembles the deployment that settings describe."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_mcp.context import ServiceContext
from groundkit_mcp.sync import FolderSync

if TYPE_CHECKING:
    from groundkit_core.settings import Settings
    from groundkit_mcp.cursors import Cursors


def service_of(
    settings: Settings, docs: Path | None, *, watch: bool, cursors: Cursors | None = None
) -> ServiceContext:
    """Return it, not started.

    Args:
        settings: where the collections are, which is asked by default, how they are ranked.
        docs: a folder to index into that collection meanwhile.
        watch: keep the index in step while the folder changes.
        cursors: sign where the rest of an answer begins [with a key of this process].
    """
    index_dir, collection, sync = settings.index_dir, settings.collection, None
    if docs:
        sync = FolderSync(docs, index_dir=index_dir, collection=collection, watch=watch)
    # What is loaded by then stays for good. The collector of cycles stops all threads while it
    # looks at everything, 80 ms each time, so it need not look at that again.
    return ServiceContext(
        index_dir,
        collection=collection,
        sync=sync,
        settings=settings,
        cursors=cursors,
        warmed=gc.freeze,
    )
