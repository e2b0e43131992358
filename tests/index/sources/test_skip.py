from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundkit_index.sources import Scan

Build = Callable[..., Path]
Scanning = Callable[..., Scan]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (["node_modules/x/readme.md"], "vendored"),
        (["web/bower_components/x.js"], "vendored"),
        (["vendor/modules.txt", "vendor/x/readme.md"], "vendored"),
        (["vendor/autoload.php", "vendor/x/readme.md"], "vendored"),
        (["Pods/Manifest.lock", "Pods/x.md"], "vendored"),
        (["third/crate/.cargo-checksum.json", "third/crate/readme.md"], "vendored"),
        ([".venv/lib/x.py"], "environment"),
        (["my env/pyvenv.cfg", "my env/lib/x.py"], "environment"),
        (["conda/conda-meta/history", "conda/x.py"], "environment"),
        (["a/__pycache__/x.py"], "environment"),
        ([".tox/x.py"], "environment"),
        (["lib/site-packages/x.py"], "environment"),
        (["target/CACHEDIR.TAG", "target/doc/x.md"], "environment"),
        ([".groundkit/default/v000001/lexical/meta.json"], "index"),
        (["idx/default/CURRENT", "idx/default/writer.lock", "idx/default/x.json"], "index"),
        (["idx/v000001/catalog.sqlite3", "idx/v000001/lexical/meta.json"], "index"),
    ],
)
def test_a_folder_that_a_tool_made_is_counted_and_not_entered(
    build: Build, scan: Scanning, files: list[str], reason: str
) -> None:
    found = scan(build("a.md", *files))
    assert [file.source for file in found.files] == ["a.md"]
    assert found.skipped == {reason: 1}


@pytest.mark.parametrize(
    "folder",
    [
        "vendor",
        "vendor/x",
        "third_party",
        "build",
        "dist",
        "target",
        "env",
        "venv",
        "lib",
        "packages",
        "out",
        "Pods",
        "deps",
        "v000001",
        "cache",
        "tmp",
        "notes",
    ],
)
def test_a_folder_with_an_ordinary_name_is_entered(
    build: Build, scan: Scanning, folder: str
) -> None:
    found = scan(build(f"{folder}/guide.md", f"{folder}/CURRENT"))
    assert [file.source for file in found.files] == [f"{folder}/guide.md"]


def test_marks_do_not_hide_the_folder_that_a_person_names(build: Build, scan: Scanning) -> None:
    found = scan(build("conda-meta/", "CACHEDIR.TAG", "CURRENT", "writer.lock", "a.md"))
    assert [file.source for file in found.files] == ["a.md"]


def test_a_file_named_like_a_tool_folder_is_judged_as_a_file(build: Build, scan: Scanning) -> None:
    found = scan(build("node_modules", "__pycache__"))
    assert found.skipped == {"unsupported_type": 2}
