"""Finds the repository that holds a folder; nothing in the folder can point out of it.

Of the configuration only the format of the repository is read: no `include`, no program that
it names, no hook. A `.git` file leads elsewhere only when the repository leads back.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from dulwich.config import ConfigFile
from dulwich.object_format import ObjectFormat, get_object_format

from groundkit_core.errors import DocumentRefusedError, SourceError
from groundkit_core.paths import read_beneath

_MAX_CONFIG = 2**20
_MAX_POINTER = 2**14
_READABLE = frozenset(
    {"noop", "objectformat", "partialclone", "refstorage", "relativeworktrees", "worktreeconfig"}
)


@dataclass(frozen=True, slots=True)
class Place:
    """A repository, and a folder in its trees.

    Attributes:
        control: where `HEAD` is.
        common: where `objects` and `refs` are; differs from `control` in a worktree.
        folder: the folder below the top of the trees, in POSIX form; empty for the top.
        object_format: how objects are named.
        partial: whether objects may have been left out when it was cloned.
        files_refs: whether refs are files, and not in a reftable.
    """

    control: Path
    common: Path
    folder: str
    object_format: ObjectFormat
    partial: bool = False
    files_refs: bool = True


def find_place(path: Path) -> Place:
    """Return the repository that a path lies in or is.

    Args:
        path: a work tree, a worktree, a bare repository, or what is below a work tree; below
            one it need not exist.

    Raises:
        SourceError: there is none, or it cannot be read.
    """
    try:
        return _find(path.expanduser().resolve())
    except (OSError, RuntimeError, ValueError):
        raise SourceError(f"{path.name!r} cannot be opened; check the path") from None


def _find(top: Path) -> Place:
    if _is_control(top):
        return _place(top, top, "")
    for folder in (top, *top.parents):
        mark = folder / ".git"
        if mark.is_symlink():
            raise SourceError("its .git is a link; name the repository that it leads to")
        if mark.is_file():
            control, common = _follow(folder)
        elif _is_control(mark):
            control = common = mark
        else:
            continue
        below = top.relative_to(folder).as_posix()
        return _place(control, common, "" if below == "." else below)
    raise SourceError(f"{top.name!r} is in no git repository; name a clone or a folder in one")


def _is_control(folder: Path) -> bool:
    return (
        (folder / "HEAD").is_file()
        and all((folder / name).is_dir() for name in ("objects", "refs"))
        and not (folder / "commondir").exists()
    )


def _follow(top: Path) -> tuple[Path, Path]:
    """Follow the `.git` file of a worktree or submodule, and check that its end leads back."""
    pointer = _line(top, ".git")
    control = (top / pointer.removeprefix("gitdir:").strip()).resolve()
    if pointer.startswith("gitdir:") and (control / "HEAD").is_file():
        common = control.parent.parent
        back = _line(control, "gitdir")
        if back:
            commondir = _line(control, "commondir")
            leads_back = (control / back).resolve() == top / ".git"
            if leads_back and commondir and (control / commondir).resolve() == common:
                return control, common
        else:
            worktree = _setting(_config(control), "core", "worktree")
            if worktree and (control / worktree).resolve() == top:
                return control, control
    raise SourceError(
        "its .git file leads to a repository that does not lead back; name that repository "
        "itself, or run `git worktree repair` there when one of them has moved"
    )


def _line(folder: Path, name: str) -> str:
    try:
        data, _ = read_beneath(folder, name, max_bytes=_MAX_POINTER)
    except DocumentRefusedError:
        return ""
    return data.decode("utf-8", "surrogateescape").rstrip("\r\n")


def _place(control: Path, common: Path, folder: str) -> Place:
    config = _config(common)
    if _setting(config, "core", "repositoryformatversion") in ("", "0"):
        return Place(
            control, common, folder, get_object_format(), partial=_has_partial_remote(config)
        )
    extensions = {name.decode().lower() for name, _ in config.items("extensions")}
    unknown = sorted(extensions - _READABLE)
    if unknown:
        raise SourceError(f"the repository needs the extension {unknown[0]!r}, which is not read")
    try:
        object_format = get_object_format(_setting(config, "extensions", "objectformat") or None)
    except ValueError:
        raise SourceError("the repository names its objects in an unknown way") from None
    return Place(
        control,
        common,
        folder,
        object_format,
        partial="partialclone" in extensions or _has_partial_remote(config),
        files_refs=_setting(config, "extensions", "refstorage") in ("", "files"),
    )


def _has_partial_remote(config: ConfigFile) -> bool:
    return any(
        section[0] == b"remote" and dict(config.items(section)).get(b"promisor") == b"true"
        for section in config.sections()
    )


def _config(common: Path) -> ConfigFile:
    try:
        data, _ = read_beneath(common, "config", max_bytes=_MAX_CONFIG)
        return ConfigFile.from_file(io.BytesIO(data), expand_includes=False)
    except DocumentRefusedError as error:
        if error.reason == "missing":
            return ConfigFile()
        raise SourceError(f"the repository's config cannot be read ({error.reason})") from None
    except Exception:  # noqa: BLE001  the parser raises what it likes
        raise SourceError("the repository's config is malformed") from None


def _setting(config: ConfigFile, section: str, name: str) -> str:
    try:
        return config.get(section, name).decode("utf-8", "surrogateescape")
    except KeyError:
        return ""
