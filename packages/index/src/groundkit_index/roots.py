"""Decides which registered root a path to ingest belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from groundkit_core.errors import SourceError
from groundkit_core.paths import resolve_root
from groundkit_index.catalog.records import RootRecord
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.origins import is_folder
from groundkit_index.sources import Scan, parse_target
from groundkit_index.writer import VersionWriter


@dataclass(frozen=True, slots=True)
class Target:
    """What the caller wants ingested.

    Attributes:
        folder: the resolved folder.
        scope: a file name when one file was named, else empty.
    """

    folder: Path
    scope: str = ""

    def check_not_index(self, index_dir: Path) -> None:
        """Raise SourceError when the target is the index itself."""
        index = index_dir.resolve()
        if self.folder == index or index in self.folder.parents:
            raise SourceError("the path lies inside the index directory; name your documents")


@dataclass(frozen=True, slots=True)
class Registration:
    """The root, the part of it that is ingested, and what a scan of that part found."""

    root: RootRecord
    scope: str
    scan: Scan
    notes: tuple[str, ...] = ()


def resolve_target(path: str | Path) -> Target:
    """Return the folder, or the folder and file, that a path names.

    Raises:
        RootMissingError: there is nothing to ingest there.
        SourceError: the path is of a kind that cannot be ingested.
    """
    resolved = resolve_root(parse_target(str(path)))
    if resolved.is_file():
        return Target(resolved.parent, resolved.name)
    return Target(resolved)


def register_root(
    writer: VersionWriter, target: Target, scan: Callable[[str, str], Scan]
) -> Registration:
    """Find or register the root of a target, and scan what is to be ingested.

    A folder below a registered root is a part of that root. A folder that holds most files of
    a root that is gone is that root, moved. A folder above registered roots takes them over.
    """
    catalog = writer.catalog
    roots = catalog.roots()
    for root in filter(_is_folder, roots):
        below = _below(target.folder, Path(root.path))
        if below is not None:
            scope = str(PurePosixPath(below, target.scope)) if below or target.scope else ""
            return Registration(root, scope, scan(root.path, scope))
    found = scan(str(target.folder), target.scope)
    moved = _moved_root(catalog, roots, found) if not target.scope else None
    with catalog.batch():
        if moved is not None:
            root = catalog.repoint_root(moved, str(target.folder))
            return Registration(root, "", found, (f"root {root.name!r} has moved",))
        root = catalog.add_root(str(target.folder), target.folder.name or "root")
        notes = tuple(
            _absorb(catalog, root, inner, prefix)
            for inner in filter(_is_folder, roots)
            if (prefix := _below(Path(inner.path), target.folder))
        )
    writer.drain()
    return Registration(root, target.scope, found, notes)


def _is_folder(root: RootRecord) -> bool:
    return is_folder(root.path)


def _below(path: Path, root: Path) -> str | None:
    """Return `path` relative to `root` in POSIX form (empty when equal), or None."""
    try:
        relative = path.relative_to(root).as_posix()
    except ValueError:
        return None
    return "" if relative == "." else relative


def _moved_root(catalog: CatalogWriter, roots: list[RootRecord], found: Scan) -> RootRecord | None:
    files = {(file.source, file.signature.size) for file in found.files}
    for root in filter(_is_folder, roots):
        if Path(root.path).exists():
            continue
        known = catalog.known_documents(root).values()
        same = sum((d.source, d.signature.size) in files for d in known)
        if known and 2 * same >= len(known):
            return root
    return None


def _absorb(catalog: CatalogWriter, root: RootRecord, inner: RootRecord, prefix: str) -> str:
    for document in catalog.known_documents(inner).values():
        catalog.relabel_document(
            document,
            root,
            f"{prefix}/{document.source}",
            document.source_class,
            document.project,
            document.signature,
        )
    for scope, (project, source_class) in catalog.scopes(inner).items():
        catalog.set_scope(root, f"{prefix}/{scope}".rstrip("/"), project, source_class)
    catalog.remove_root(inner)
    return f"root {inner.name!r} lies inside {root.name!r} and was taken over"
