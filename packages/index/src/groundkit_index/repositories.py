"""Brings a collection in step with a revision of a git repository."""

from __future__ import annotations

import hashlib
import shutil
import time
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from groundkit_core.contracts import IngestReport
from groundkit_core.errors import SettingsError
from groundkit_core.protocols import Notice, Progress
from groundkit_index.catalog.records import RootRecord
from groundkit_index.guard import check_allowed
from groundkit_index.layout import CollectionPaths
from groundkit_index.options import IngestOptions
from groundkit_index.origins.roots import GitRoot, git_root
from groundkit_index.sync import Sync
from groundkit_index.versions import writing
from groundkit_index.writer import VersionWriter

if TYPE_CHECKING:
    from groundkit_index.sources.git import Opener

_HEAD = "HEAD"


def ingest_revision(
    path: str | Path,
    rev: str | None = None,
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    options: IngestOptions | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    stop: Event | None = None,
    opener: Opener | None = None,
) -> IngestReport:
    """Index a revision of a repository as it is in the object store, without a checkout.

    Each revision by name is a root of its own; when it stands at another commit the next time,
    the documents follow it. Citations name the commit.

    Args:
        path: a work tree, a bare repository, a folder below a work tree, or
            `git+https://HOST/PATH@REF#subdir=FOLDER`, which is fetched without its history.
        rev: a branch, tag or commit [`HEAD`]; for a URL it stands in the URL.
        index_dir: the folder that holds the collections.
        collection: the collection's name; made when absent.
        options: how to ingest.
        progress: told how far it is.
        notice: told when there is something to wait for.
        stop: set it to end early; the batch under way is finished and reported.
        opener: sends the requests of a fetch [one for the public internet].

    Raises:
        SourceError: there is no such repository or revision, or it cannot be fetched.
        StorageError: the index cannot be written; what was committed before stays.
    """
    _need_git()
    chosen = options or IngestOptions()
    started = time.perf_counter()
    check_allowed(chosen.allow_secrets)
    local = None if str(path).startswith("git+") else _local(Path(path), rev)
    paths = CollectionPaths.of(index_dir, collection)
    with writing(
        paths,
        language=chosen.language,
        chunking=chosen.chunking,
        wait=chosen.lock_wait,
        notice=notice,
    ) as writer:
        found, name, scope = local or _remote(writer, str(path), opener)
        run = Sync(writer, chosen, progress, stop)
        run.root(_root(writer, found, name), scope)
        _forget_others(writer)
        return run.report(paths.name, started)


def _need_git() -> None:
    try:
        import groundkit_index.sources.git  # noqa: F401  whoever asked imports from it next
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{error.name} is needed to read repositories; install groundkit-index[git]"
        ) from None


def _local(path: Path, rev: str | None) -> tuple[GitRoot, str, str]:
    from groundkit_index.sources.git import GitTree

    place = path.expanduser().resolve()
    with GitTree.open(place, rev) as tree:
        folder = place.parent if tree.scope else place
        name = f"{folder.name or 'root'}@{rev or _HEAD}"
        return GitRoot(tree.commit, rev or _HEAD, str(folder)), name, tree.scope


def _remote(writer: VersionWriter, text: str, opener: Opener | None) -> tuple[GitRoot, str, str]:
    """Fetch into a folder of its own first, so that a fetch that fails changes nothing."""
    from groundkit_index.sources.git import fetch_repository, parse_git_url
    from groundkit_index.web.opening import public_opener

    url = parse_git_url(text, allow_loopback=opener is not None)
    key = hashlib.sha256(f"{url.url}@{url.ref or _HEAD}".encode()).hexdigest()[:16]
    snapshots = writer.version.snapshots
    fresh = snapshots / "git" / f"{key}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        commit = fetch_repository(url.url, url.ref, fresh, opener or public_opener())
        folder = f"git/{key}-{commit[:12]}"
        if (snapshots / folder).exists():
            shutil.rmtree(fresh)
        else:
            fresh.replace(snapshots / folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    name = f"{url.name}@{url.ref or _HEAD}"
    return GitRoot(commit, f"{url.ref or _HEAD}", folder), name, url.subdir


def _root(writer: VersionWriter, found: GitRoot, name: str) -> RootRecord:
    """Return the root of a revision by name, at the commit where it stands now."""
    for root in writer.catalog.roots():
        held = git_root(root.path)
        if held is not None and _same(held, found):
            if held == found:
                return root
            with writer.batch() as catalog:
                return catalog.repoint_root(root, str(found))
    with writer.batch() as catalog:
        return catalog.add_root(str(found), _plain(name))


def _same(held: GitRoot, found: GitRoot) -> bool:
    return (held.rev, _stem(held.folder)) == (found.rev, _stem(found.folder))


def _stem(folder: str) -> str:
    """Return what stays the same of a fetched repository's folder from commit to commit."""
    return folder if Path(folder).is_absolute() else folder.rpartition("-")[0]


def _plain(name: str) -> str:
    return "".join(char if char.isprintable() else "_" for char in name)


def _forget_others(writer: VersionWriter) -> None:
    """Delete fetched repositories that no root stands at any more."""
    held = {root.folder for r in writer.catalog.roots() if (root := git_root(r.path))}
    folder = writer.version.snapshots / "git"
    for place in folder.iterdir() if folder.is_dir() else ():
        if f"git/{place.name}" not in held:
            shutil.rmtree(place, ignore_errors=True)
