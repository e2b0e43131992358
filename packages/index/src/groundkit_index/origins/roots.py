"""The origin of a root, by what the catalog has for its path.

    | path                     | documents                                                  |
    |--------------------------|------------------------------------------------------------|
    | an absolute folder       | files below it                                             |
    | `git:COMMIT:REV:FOLDER`  | files of a commit, read from the repository's object store |
    | `web:START`              | fetched pages, read from their snapshots                   |

REV is what a person named. A relative FOLDER lies below the folder of snapshots.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from groundkit_index.origins.folder import FolderOrigin
from groundkit_index.origins.protocol import Origin

_GIT, _WEB = "git:", "web:"


class GitRoot(NamedTuple):
    """A repository, or a folder in it, at a commit."""

    commit: str
    rev: str
    folder: str

    def __str__(self) -> str:
        return f"{_GIT}{self.commit}:{self.rev}:{self.folder}"


def git_root(path: str) -> GitRoot | None:
    """Return the commit and the repository of a root; None for another kind of root."""
    if not path.startswith(_GIT):
        return None
    return GitRoot(*path.removeprefix(_GIT).split(":", 2))


def web_root(prefix: str) -> str:
    """Return the path of a root of fetched pages."""
    return _WEB + prefix


def web_prefix(path: str) -> str | None:
    """Return the prefix that the pages of a root share; None for another kind of root."""
    return path.removeprefix(_WEB) if path.startswith(_WEB) else None


def is_folder(path: str) -> bool:
    """Return whether a root is a folder of this machine."""
    return not path.startswith((_GIT, _WEB))


def is_reachable(path: str, snapshots: Path) -> bool:
    """Return whether the documents of a root can be read now."""
    git = git_root(path)
    if git is not None:
        return (snapshots / git.folder).is_dir()
    return web_prefix(path) is not None or Path(path).is_dir()


def origin_of(path: str, snapshots: Path) -> Origin:
    """Return the origin of a root.

    Args:
        path: as the catalog has it.
        snapshots: the folder of what was fetched for this version of the collection.
    """
    git = git_root(path)
    if git is not None:
        from groundkit_index.origins.git import GitOrigin

        return GitOrigin(snapshots / git.folder, git.commit)
    prefix = web_prefix(path)
    if prefix is not None:
        from groundkit_index.origins.web import snapshots_of

        return snapshots_of(prefix, snapshots)
    return FolderOrigin(Path(path))
