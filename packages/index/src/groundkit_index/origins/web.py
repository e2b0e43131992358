"""Local copies of what was fetched; their bytes are what citations are verified against."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import Kind, kind_of
from groundkit_core.model import FileSignature, SourceFile
from groundkit_core.paths import read_beneath, stat_beneath
from groundkit_index.sources.scan import Scan

if TYPE_CHECKING:
    from groundkit_index.web import Page, Validators

_BODIES, _RECORDS = "pages", "records"
_KINDS = {
    "application/epub+zip": "epub",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "application/x-subrip": "subtitles",
    "application/xhtml+xml": "html",
    "message/rfc822": "email",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "markdown",
    "text/vtt": "subtitles",
}
_BY_NAME = frozenset({"", "application/octet-stream", "text/plain"})


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of a fetched document beside its bytes.

    Attributes:
        url: where it is; the document's source.
        content_type: what the server said.
        etag: for the next conditional request.
        last_modified: likewise.
        sha256: digest of the bytes.
        links: where the page led to within the crawl.
    """

    url: str
    content_type: str
    etag: str | None
    last_modified: str | None
    sha256: str
    links: tuple[str, ...] = ()


_RECORD: TypeAdapter[Record] = TypeAdapter(Record)


class Snapshots:
    """The local copies of one root of fetched documents.

    Each is one file and one record; both are replaced whole, the record last.

    Args:
        folder: where they are; made when something is put there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def scan(self, *, max_bytes: int) -> Scan:
        """Return the documents that are here."""
        files: list[SourceFile] = []
        refused: list[tuple[str, str]] = []
        for record in self.records():
            signature = self.stat(record.url)
            if signature is None:
                continue
            if signature.size > max_bytes:
                refused.append((record.url, "too_large"))
                continue
            files.append(SourceFile(record.url, signature, _kind(record)))
        files.sort(key=lambda file: file.source)
        return Scan(files=tuple(files), refused=tuple(sorted(refused)))

    def known(self) -> dict[str, Validators]:
        """Return what a crawl wants to know of what is here."""
        from groundkit_index.web import Validators

        return {
            r.url: Validators(r.etag, r.last_modified, r.sha256, r.links) for r in self.records()
        }

    def put(self, page: Page) -> None:
        """Keep a document that was fetched."""
        path = _name(page.final_url)
        _replace(self._folder / _BODIES / path, page.body)
        self._note(
            path,
            Record(
                page.final_url,
                page.content_type,
                page.etag,
                page.last_modified,
                page.sha256,
                page.links,
            ),
        )

    def refresh(self, url: str, validators: Validators) -> None:
        """Note what the server says now of a document that has not changed."""
        held = self._record(self._folder / _RECORDS / _name(url))
        if held is not None and held.sha256 == validators.sha256:
            found = Record(
                url,
                held.content_type,
                validators.etag,
                validators.last_modified,
                held.sha256,
                validators.links,
            )
            if found != held:
                self._note(_name(url), found)

    def delete(self, url: str) -> None:
        """Forget a document."""
        for part in (_RECORDS, _BODIES):
            (self._folder / part / _name(url)).unlink(missing_ok=True)

    def records(self) -> Iterator[Record]:
        """Yield the records of what is here, in no particular order."""
        for path in sorted((self._folder / _RECORDS).rglob("*")):
            record = self._record(path) if path.is_file() else None
            if record is not None:
                yield record

    def stat(self, url: str) -> FileSignature | None:
        """Return the signature of the local copy; see `Origin`."""
        return stat_beneath(self._folder / _BODIES, _name(url))

    def read(
        self, url: str, *, max_bytes: int, max_links: int | None = None
    ) -> tuple[bytes, FileSignature]:
        """Return the bytes that were fetched; see `Origin`.

        Two versions of a collection may share a copy, so `max_links` is not looked at.
        """
        del max_links
        if not (self._folder / _BODIES).is_dir():
            raise DocumentRefusedError("missing")
        return read_beneath(self._folder / _BODIES, _name(url), max_bytes=max_bytes)

    def commit(self) -> None:
        """A page has none."""

    def _note(self, path: str, record: Record) -> None:
        _replace(self._folder / _RECORDS / path, _RECORD.dump_json(record))

    def _record(self, path: Path) -> Record | None:
        try:
            return _RECORD.validate_json(path.read_bytes())
        except (OSError, ValidationError):
            return None  # the next crawl fetches it anew


def snapshots_of(prefix: str, snapshots: Path) -> Snapshots:
    """Return the local copies of the root with this prefix.

    Args:
        prefix: the address that was ingested.
        snapshots: the folder of what was fetched for a version of the collection.
    """
    name = hashlib.sha256(prefix.encode()).hexdigest()[:16]
    return Snapshots(snapshots / "web" / name)


def _name(url: str) -> str:
    from groundkit_index.web.snapshot_paths import snapshot_path

    return snapshot_path(url)


def _kind(record: Record) -> Kind | None:
    from groundkit_index.web.urls import parse_url

    named = kind_of(parse_url(record.url).path)
    if record.content_type in _BY_NAME:
        return named or Kind("text" if record.content_type else "html")
    told: Any = _KINDS.get(record.content_type)
    return Kind(told) if told else named or Kind("text")


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
