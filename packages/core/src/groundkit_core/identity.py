"""Stable ids for documents and chunks."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

_ID_BYTES = 12


def _digest(*parts: str) -> str:
    state = hashlib.blake2b(digest_size=_ID_BYTES)
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()


def document_id(root: str, source: str, ordinal: int = 0) -> str:
    """Return the id of a document, 24 hex digits.

    Args:
        root: the name of the root.
        source: the path below the root.
        ordinal: above 0 when the id is taken by a document that moved away from here.
    """
    return _digest("document", root, source, str(ordinal))


def chunk_ids(document: str, contents: Iterable[str]) -> list[str]:
    """Return the ids of a document's chunks in order, 24 hex digits each.

    An id depends on the document and the content, so edits elsewhere keep it; repeats of one
    content are told apart by their ordinal.
    """
    seen: Counter[str] = Counter()
    ids = []
    for content in contents:
        ids.append(_digest("chunk", document, content, str(seen[content])))
        seen[content] += 1
    return ids
