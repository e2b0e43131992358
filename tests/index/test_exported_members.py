"""What the distribution exports, and that reading it is cheap to import."""

from __future__ import annotations

import subprocess
import sys

import groundkit_index


def test_the_public_names_are_these() -> None:
    assert groundkit_index.__all__ == [
        "CollectionPaths",
        "IndexReader",
        "IngestOptions",
        "ingest",
        "list_collections",
    ]
    for name in groundkit_index.__all__:
        assert getattr(groundkit_index, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(groundkit_index, "nothing")


def test_reading_does_not_import_what_only_writing_needs() -> None:
    code = "import sys, groundkit_index; print('sqlite_utils' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "False\n"
