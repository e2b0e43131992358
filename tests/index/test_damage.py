"""A foreign, truncated, newer or damaged index is refused with a reason and never read wrong."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import CorruptIndexError, GroundkitError, IncompatibleIndexError
from groundkit_index.catalog.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

FLIPS = int(os.environ.get("GROUNDKIT_DAMAGE_FLIPS", "200"))
SEED = int(os.environ.get("GROUNDKIT_DAMAGE_SEED", "1"))
FILLER = "What stands here only makes the section long enough to be a chunk of its own. " * 11

Damage = list[tuple[Path, int, int | None]]


@pytest.fixture
def filled(space: Workspace) -> Workspace:
    space.write_all({"a.md": "The zebra.\n", "b.md": "The giraffe.\n", "c.md": "The camel.\n"})
    space.ingest()
    return space


def set_pragma(path: Path, name: str, value: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"pragma {name}={value}")


def test_a_database_of_another_program_is_refused(filled: Workspace) -> None:
    filled.catalog.unlink()
    with closing(sqlite3.connect(filled.catalog)) as connection:
        connection.execute("create table chunks (content text)")
    before = filled.catalog.read_bytes()
    for use in (filled.open, filled.ingest, filled.rebuild):
        with pytest.raises(CorruptIndexError, match="not a groundkit catalog"):
            use()
    assert filled.catalog.read_bytes() == before


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION - 1, 999])
def test_another_schema_version_is_refused_and_left_alone(filled: Workspace, version: int) -> None:
    set_pragma(filled.catalog, "user_version", version)
    for use in (filled.open, filled.ingest, filled.rebuild):
        with pytest.raises(IncompatibleIndexError, match=f"schema version {version}"):
            use()
    set_pragma(filled.catalog, "user_version", SCHEMA_VERSION)
    assert filled.found("zebra") == ["a.md"]


@pytest.mark.parametrize("content", [b"", b"\0" * 8192, b"not a database " * 1000])
def test_what_is_no_database_is_refused_by_a_reader(filled: Workspace, content: bytes) -> None:
    filled.catalog.write_bytes(content)
    with pytest.raises(CorruptIndexError):
        filled.open()


def test_what_is_no_database_is_refused_by_a_writer(filled: Workspace) -> None:
    filled.catalog.write_bytes(b"not a database " * 1000)
    for use in (filled.ingest, filled.rebuild):
        with pytest.raises(CorruptIndexError):
            use()


def test_the_command_refuses_a_damaged_catalog_in_one_line(filled: Workspace) -> None:
    filled.catalog.write_bytes(b"not a database " * 1000)
    result = filled.command("search", "zebra")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("groundkit: the catalog is ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("generation", '"1r'),
        ("generation", "null"),
        ("settings", "{"),
        ("settings", '{"languagf": "english"}'),
        ("settings", "[]"),
    ],
)
def test_a_damaged_manifest_is_refused(filled: Workspace, name: str, value: str) -> None:
    with closing(sqlite3.connect(filled.catalog)) as connection:
        connection.execute("update manifest set value=? where name=?", (value, name))
        connection.commit()
    for use in (lambda: filled.find("zebra"), filled.ingest):
        with pytest.raises(GroundkitError):
            use()


@pytest.mark.parametrize("name", [b"chunks", b"documents", b"manifest"])
def test_a_schema_that_is_no_text_is_refused(filled: Workspace, name: bytes) -> None:
    data = filled.catalog.read_bytes()
    at = data.index(b'CREATE TABLE "' + name)
    filled.catalog.write_bytes(data[:at] + b"CREATE \xc1ABLE" + data[at + 12 :])
    for use in (lambda: filled.find("zebra"), filled.ingest):
        with pytest.raises(CorruptIndexError):
            use()


def row_key_at(data: bytes, document_id: str) -> int:
    """Return the offset of the row key of a document in a catalog.

    A row starts with its length, its key, the length of its header, and the serial types of its
    columns: NULL (0) for the key itself, then text of 24 bytes (61) for the id.
    """
    start = 0
    while True:
        at = data.index(document_id.encode(), start)
        header = data.rfind(b"\x00\x3d", max(0, at - 40), at)
        if header > 0 and data[header - 1] == at - (header - 1):
            return header - 2
        start = at + 1


def test_a_document_under_the_key_of_another_is_never_cited_for_it(filled: Workspace) -> None:
    data = bytearray(filled.catalog.read_bytes())
    at = row_key_at(bytes(data), filled.documents()["b.md"])
    assert data[at] == 2
    data[at] = 3
    filled.catalog.write_bytes(data)
    try:
        hits = filled.find("camel")
    except GroundkitError:
        return
    assert [(hit.content, hit.citation.source) for hit in hits] in (
        [],
        [("The camel.", "c.md")],
    )


@pytest.mark.parametrize("column", ["name", "path"])
def test_a_damaged_root_is_never_cited(filled: Workspace, column: str) -> None:
    with closing(sqlite3.connect(filled.catalog)) as connection:
        connection.execute(
            f"update roots set {column} = replace({column}, 'documents', 'documentt')"
        )
        connection.commit()
    try:
        hits = filled.find("zebra")
    except GroundkitError:
        return
    assert [(hit.citation.root, hit.citation.verification) for hit in hits] == [
        ("documents", "verified")
    ]


@pytest.fixture(scope="module")
def damageable(make_space: Callable[[], Workspace]) -> Workspace:
    """Two segments with deletions, documents of two classes, several chunks each."""
    space = make_space()
    for number in range(10):
        space.write(
            f"{number:02}.md",
            f"# Document {number}\n\n## Part\n\nThe zebra number{number} crosses. {FILLER}\n\n"
            f"## Other\n\nThe giraffe eats at noon{number}. {FILLER}\n",
        )
    for number in range(4):
        space.write(f"{number}.py", f"zebra = {number}\n")
    space.ingest()
    space.write("00.md", f"# Document 0\n\nThe zebra number0 crosses again. {FILLER}\n")
    space.ingest()
    return space


def read_damaged(space: Workspace, damage: Damage) -> list[dict[str, str]]:
    """Damage one place after another in a real index, and return what reading it gave."""
    plan = space.index.parent / "plan.json"
    plan.write_text(json.dumps([(str(path), offset, bit) for path, offset, bit in damage]))
    script = Path(__file__).with_name("damaging.py")
    child = subprocess.run(
        [sys.executable, script, space.index, plan], capture_output=True, text=True, timeout=600
    )
    lines = [json.loads(line) for line in child.stdout.splitlines()]
    at_death = damage[len(lines)] if len(lines) < len(damage) else None
    assert child.returncode == 0, (child.returncode, at_death, child.stderr[-500:])
    assert len(lines) == len(damage)
    return lines


def tally(lines: list[dict[str, str]]) -> Counter[str]:
    """Count the outcomes of all operations."""
    return Counter(outcome for line in lines for name, outcome in line.items() if name != "at")


def wrong(lines: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return where something was read wrong, or an exception was none of ours."""
    bad = ("wrong", "raised")
    return [line for line in lines if any(str(o).startswith(bad) for o in line.values())]


def flips(path: Path, number: int, part: slice = slice(None)) -> Damage:
    """Choose bits of bytes that are not zero, for most of a small file is not in use."""
    chance = random.Random(f"{SEED} {path.suffix}")
    data = path.read_bytes()
    used = [offset for offset in range(len(data))[part] if data[offset]]
    return [(path, chance.choice(used), chance.randrange(8)) for _ in range(number)]


def test_a_flipped_bit_of_the_catalog_is_never_read_wrong(damageable: Workspace) -> None:
    manifest = damageable.catalog.read_bytes().index(b'{"analyzer"')
    damage = flips(damageable.catalog, FLIPS // 3)
    damage += flips(damageable.catalog, FLIPS // 6, slice(manifest - 50, manifest + 500))
    lines = read_damaged(damageable, damage)
    print(f"catalog, {len(lines)} flips: {dict(tally(lines))}")
    assert wrong(lines) == []
    assert tally(lines)["index_corrupt"] > 0


def test_a_flipped_bit_of_the_lexical_index_is_never_read_wrong(damageable: Workspace) -> None:
    files = [path for path in sorted(damageable.lexical.iterdir()) if path.stat().st_size]
    damage = [flip for path in files for flip in flips(path, FLIPS // (2 * len(files)))]
    lines = read_damaged(damageable, damage)
    print(f"lexical index, {len(lines)} flips: {dict(tally(lines))}")
    assert wrong(lines) == []
    assert tally(lines)["index_corrupt"] > 0


def lengths(path: Path) -> list[int]:
    size = path.stat().st_size
    some = {0, 1, 15, 16, 100, 511, 512, 4095, 4096, 5000, size // 3, size // 2}
    return sorted(n for n in some | {size - 8192, size - 4096, size - 1} if 0 <= n < size)


@pytest.fixture(scope="module")
def cut(damageable: Workspace) -> list[dict[str, str]]:
    """What reading a truncated catalog gave."""
    catalog = damageable.catalog
    return read_damaged(damageable, [(catalog, length, None) for length in lengths(catalog)])


def test_a_truncated_catalog_is_never_read_wrong(cut: list[dict[str, str]]) -> None:
    assert wrong(cut) == []
    assert tally(cut)["index_corrupt"] > 0


def test_a_truncated_catalog_is_refused_at_open(cut: list[dict[str, str]]) -> None:
    assert [line.get("open") for line in cut] == ["index_corrupt"] * len(cut)


def test_a_truncated_lexical_file_is_never_read_wrong(damageable: Workspace) -> None:
    files = sorted(damageable.lexical.iterdir())
    damage: Damage = [
        (path, length, None) for path in files for length in lengths(path)[:: len(files) // 3]
    ]
    assert wrong(read_damaged(damageable, damage)) == []


def test_the_index_is_whole_again_after_all_that(damageable: Workspace) -> None:
    assert damageable.faults() == {}
    assert len(damageable.find("zebra", limit=20)) == 14
