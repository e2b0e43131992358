"""Folders that hold no documents of the person who ingests."""

from __future__ import annotations

import re
from collections.abc import Set

_VERSION = re.compile(r"v\d{6}")
_FORGES = frozenset({".forgejo", ".gitea", ".github", ".gitlab"})
_REPOSITORIES = frozenset({".bzr", ".git", ".hg", ".jj", ".svn"})

# Names that only a tool gives, whatever is inside.
_BY_NAME = {
    ".groundkit": "index",
    ".eggs": "environment",
    ".mypy_cache": "environment",
    ".nox": "environment",
    ".pytest_cache": "environment",
    ".ruff_cache": "environment",
    ".tox": "environment",
    ".venv": "environment",
    "__pycache__": "environment",
    "dist-packages": "environment",
    "site-packages": "environment",
    "bower_components": "vendored",
    "jspm_packages": "vendored",
    "node_modules": "vendored",
}

# What a tool leaves in a folder whose name people use as well.
_BY_CONTENT = {
    "pyvenv.cfg": "environment",  # a virtual environment under any name
    "conda-meta": "environment",
    "CACHEDIR.TAG": "environment",  # the cache directory tagging specification
    ".cargo-checksum.json": "vendored",  # a crate of `cargo vendor`
}
_VENDOR_MARKS = {"vendor": {"modules.txt", "autoload.php"}, "Pods": {"Manifest.lock"}}


def is_hidden(name: str, *, is_folder: bool) -> bool:
    """Return whether a name is hidden by its leading dot.

    Folders of code forges (`.github`, `.gitlab`, `.gitea`, `.forgejo`) are not: they hold
    contribution guides and templates that people expect to find.
    """
    return name.startswith(".") and not (is_folder and name in _FORGES)


def skip_by_name(name: str, *, follow_hidden: bool) -> str | None:
    """Return why a folder of this name is not entered, or None.

    `dist`, `build`, `target`, `vendor` and `third_party` are ordinary names: what tools put
    there is ignored by git or recognised by `skip_by_content`.
    """
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name in _REPOSITORIES or (is_hidden(name, is_folder=True) and not follow_hidden):
        return "hidden"
    return None


def skip_by_content(name: str, names: Set[str]) -> str | None:
    """Return why a folder that holds these names is passed over, or None."""
    if _is_index(name, names):
        return "index"
    for mark, reason in _BY_CONTENT.items():
        if mark in names:
            return reason
    return "vendored" if _VENDOR_MARKS.get(name, set()) & names else None


def _is_index(name: str, names: Set[str]) -> bool:
    """Recognise a collection, or a version of one, under an index directory of any name."""
    if {"CURRENT", "writer.lock"} <= names:
        return True
    return "catalog.sqlite3" in names and _VERSION.fullmatch(name) is not None
