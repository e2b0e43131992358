"""Lists the documents of a root, whatever kind of root it is."""

from __future__ import annotations

from pathlib import Path

from groundkit_index.origins.roots import git_root, web_prefix
from groundkit_index.sources import FolderSource, Scan


def scan_root(path: str, snapshots: Path, scope: str, *, max_bytes: int) -> Scan:
    """Return the documents of a root.

    Args:
        path: the root's path, as the catalog has it.
        snapshots: the folder of what was fetched.
        scope: a part of it; pages are listed whole.
        max_bytes: larger documents are refused.

    Raises:
        SourceError: it cannot be listed.
    """
    git, prefix = git_root(path), web_prefix(path)
    if git is None and prefix is None:
        return FolderSource(Path(path), scope=scope, max_bytes=max_bytes).scan()
    if git is not None:
        from groundkit_index.origins.git import scan_commit

        return scan_commit(snapshots / git.folder, git.commit, scope, max_bytes=max_bytes)
    from groundkit_index.origins.web import snapshots_of

    return snapshots_of(prefix or "", snapshots).scan(max_bytes=max_bytes)
