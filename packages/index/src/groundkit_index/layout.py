"""Where a collection keeps its files."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from groundkit_core.contracts import Name
from groundkit_core.errors import (
    CollectionNotFoundError,
    CorruptIndexError,
    RequestError,
    StorageError,
)

CURRENT = "CURRENT"
_VERSION = re.compile(r"v\d{6}")
_NAME: TypeAdapter[str] = TypeAdapter(Name)


def checked_name(name: str) -> str:
    """Return a collection name that is safe as a folder name, or raise RequestError."""
    try:
        return _NAME.validate_python(name)
    except ValidationError as error:
        message = error.errors(include_url=False, include_input=False)[0]["msg"]
        raise RequestError(f"collection name: {message.removeprefix('Value error, ')}") from None


@dataclass(frozen=True, slots=True)
class VersionPaths:
    """The files of one version of a collection."""

    folder: Path

    @property
    def name(self) -> str:
        """The version's name, such as `v000001`."""
        return self.folder.name

    @property
    def catalog(self) -> Path:
        """The SQLite database that is the truth."""
        return self.folder / "catalog.sqlite3"

    @property
    def lexical(self) -> Path:
        """The folder of the derived lexical index."""
        return self.folder / "lexical"

    @property
    def vectors(self) -> Path:
        """The folder of the derived vectors, a LanceDB table."""
        return self.folder / "vectors.lance"

    @property
    def slab(self) -> Path:
        """The folder of the flat copy of the vectors, derived from the table."""
        return self.folder / "vectors.slab"

    @property
    def salvage(self) -> Path:
        """The folder of the vectors that a repair has found good; gone once it is done."""
        return self.folder / "vectors.salvage"

    @property
    def snapshots(self) -> Path:
        """The folder of what was fetched, the truth for its citations."""
        return self.folder / "snapshots"

    @property
    def in_use(self) -> Path:
        """The file that readers hold a shared lock on."""
        return self.folder / "in-use.lock"


@dataclass(frozen=True, slots=True)
class CollectionPaths:
    """The files of a collection below an index directory."""

    index_dir: Path
    name: str

    @classmethod
    def of(cls, index_dir: str | Path, name: str) -> CollectionPaths:
        """Return the paths of a collection, made absolute now so that `chdir` cannot move them."""
        return cls(Path(index_dir).expanduser().absolute(), checked_name(name))

    @property
    def folder(self) -> Path:
        """The collection's folder."""
        return self.index_dir / self.name

    @property
    def lock(self) -> Path:
        """The file that the one writer holds."""
        return self.folder / "writer.lock"

    def version(self, name: str) -> VersionPaths:
        """Return the paths of a version by name."""
        return VersionPaths(self.folder / name)

    def current(self) -> VersionPaths:
        """Return the live version.

        Raises:
            CollectionNotFoundError: there is no such collection.
            CorruptIndexError: `CURRENT` does not name a version.
        """
        try:
            name = (self.folder / CURRENT).read_text(encoding="ascii").strip()
        except (FileNotFoundError, NotADirectoryError):
            others = [name for name in collection_names(self.index_dir) if name != self.name]
            raise CollectionNotFoundError(self.name, others) from None
        except (OSError, UnicodeDecodeError):
            name = ""
        if not _VERSION.fullmatch(name):
            raise CorruptIndexError(
                f"collection {self.name!r} has a damaged {CURRENT} file; "
                "ingest into a new collection"
            )
        return self.version(name)

    def set_current(self, version: VersionPaths) -> None:
        """Make a version the live one, atomically and durably."""
        temporary = self.new_current
        try:
            with temporary.open("w", encoding="ascii") as file:
                file.write(version.name + "\n")
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.folder / CURRENT)
            sync_folder(self.folder)
        except OSError as error:
            raise StorageError(
                f"version {version.name} cannot be made the live one ({error.strerror}); what "
                "served before still serves"
            ) from error

    @property
    def new_current(self) -> Path:
        """What becomes `CURRENT` in a switch; left behind by one that was interrupted."""
        return self.folder / f"{CURRENT}.new"

    def next_version(self) -> VersionPaths:
        """Return the paths of a version that is newer than all there are."""
        numbers = [int(version.name[1:]) for version in self.versions()]
        return self.version(f"v{max(numbers, default=0) + 1:06d}")

    def versions(self) -> list[VersionPaths]:
        """Return every version directory, oldest first."""
        names = sorted(p.name for p in self.folder.iterdir() if _VERSION.fullmatch(p.name))
        return [self.version(name) for name in names]


def collection_names(index_dir: str | Path) -> list[str]:
    """Return the names of the collections in an index directory, sorted."""
    try:
        entries = list(os.scandir(Path(index_dir).expanduser()))
    except OSError:
        return []
    return sorted(
        e.name for e in entries if _is_name(e.name) and (Path(e.path) / CURRENT).is_file()
    )


def _is_name(name: str) -> bool:
    try:
        checked_name(name)
    except RequestError:
        return False
    return True


def folder_size(folder: Path) -> int:
    """Return the bytes of the files below a folder; files that vanish meanwhile count nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(place) / name).lstat().st_size
            except OSError:
                continue
    return total


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the platform can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
