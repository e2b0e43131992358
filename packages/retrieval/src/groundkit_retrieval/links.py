"""Links that a person can follow to the very passage."""

from __future__ import annotations

from groundkit_core.structure import Where
from groundkit_core.text_fragments import text_fragment
from groundkit_index.catalog.records import ChunkRecord

_COMMIT_CHARS = 12
_WEB = ("https://", "http://")


def link_of(record: ChunkRecord, start_line: int, where: Where, commit: str | None) -> str:
    """Return the place to open.

    `path:line` for a text, `path#page=3` and the like for a document whose text was extracted,
    the words of the passage (`#:~:text=`) for a page of the web or an HTML file, and
    `COMMIT:path:line`, as git writes it, for a file of a repository.
    """
    source = record.source
    at = f"{commit[:_COMMIT_CHARS]}:" if commit else ""
    if record.kind == "html" or (source.startswith(_WEB) and not where.fragment):
        directive = text_fragment(record.content) or ""
        anchor = where.fragment if record.kind == "html" else ""
        return f"{at}{source}#{anchor}{directive}" if anchor or directive else f"{at}{source}"
    if record.extractor is None:
        return f"{at}{source}:{start_line}"
    return f"{at}{source}#{where.fragment}" if where.fragment else f"{at}{source}"
