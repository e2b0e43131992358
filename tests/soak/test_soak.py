"""One writer and eight readers: no read fails, and no answer holds what its generation does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import pytest

from groundkit_index import ingest
from groundkit_index.doctor import examine
from groundkit_retrieval import Collection

SECONDS = float(os.environ.get("GROUNDKIT_SOAK_SECONDS", "8"))
READERS = 8
WORDS = ("zebra", "giraffe", "camel", "ibex", "lynx", "yak", "okapi", "tapir")
HERE = Path(__file__).parent

Texts = dict[str, str]


@dataclass
class Journal:
    """What the writer noted: the texts of each generation that an ingest ended with."""

    generations: list[int] = field(default_factory=list)
    states: list[Texts] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Journal:
        journal = cls()
        for line in map(json.loads, path.read_text().splitlines()):
            if "texts" in line:
                texts = line["texts"]
            else:
                journal.generations.append(line["generation"])
                journal.states.append(texts)
        return journal

    def possible(self, generation: int) -> list[Texts]:
        """Return the states that a document may be in at a generation.

        The state that an ingest ended with, for its generation; for one in between, the state
        before the ingest and the one after it.
        """
        at = bisect_left(self.generations, generation)
        if at == len(self.generations):
            return []
        if self.generations[at] == generation:
            return [self.states[at]]
        return self.states[max(0, at - 1) : at + 1]


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, HERE / script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def check(answer: dict[str, Any], journal: Journal) -> str:
    """Return what is wrong with an answer, or nothing."""
    if "failed" in answer:
        return str(answer["failed"])
    states = journal.possible(answer["generation"])
    for source, content, _, _ in answer["hits"]:
        if answer["word"] not in content:
            return f"{source} does not hold {answer['word']!r}"
        if not any(state.get(source) == content for state in states):
            return f"{source} is not of generation {answer['generation']}"
    return "" if answer["hits"] else "an empty page"


def test_readers_are_right_while_a_writer_never_rests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, index, notes = tmp_path / "documents", tmp_path / "index", tmp_path / "journal"
    folder.mkdir()
    writer = start("writing.py", folder, index, notes, SECONDS + 2, *WORDS)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "filled\n"
    readers = [
        start("reading.py", index, tmp_path / f"answers{n}", SECONDS, n, *WORDS)
        for n in range(READERS)
    ]
    for process in [*readers, writer]:
        _, errors = process.communicate(timeout=SECONDS + 120)
        assert process.returncode == 0, errors
    journal = Journal.read(notes)
    lines = [
        json.loads(line)
        for n in range(READERS)
        for line in (tmp_path / f"answers{n}").read_text().splitlines()
    ]
    wrong = Counter(filter(None, (check(line, journal) for line in lines)))
    times = quantiles((line["took"] for line in lines if "took" in line), n=100)
    verdicts = Counter(hit[3] for line in lines for hit in line.get("hits", ()))
    with capsys.disabled():
        print(
            f"\n{READERS} readers, {SECONDS:g} s: {len(lines)} queries over "
            f"{len({line.get('generation') for line in lines})} generations, "
            f"p50 {times[49]:.1f} ms, p95 {times[94]:.1f} ms, p99 {times[98]:.1f} ms; "
            f"{len(journal.states)} ingests; verdicts {dict(verdicts)}; "
            f"{wrong.total()} failed or wrong: {wrong.most_common(5)}"
        )
    assert lines
    assert wrong == Counter()
    ingest(folder, index_dir=index)  # drops the versions that readers held until now
    assert examine(index_dir=index).healthy
    with Collection.open(index_dir=index) as collection:
        held = {chunk.source: chunk.content for chunk in collection._reader.chunks()}
    assert held == journal.states[-1]


def test_the_doctor_finds_nothing_wrong_while_a_writer_never_rests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, index = tmp_path / "documents", tmp_path / "index"
    folder.mkdir()
    writer = start("writing.py", folder, index, tmp_path / "journal", SECONDS / 2, *WORDS)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "filled\n"
    said = Counter[str]()
    while writer.poll() is None:
        report = examine(index_dir=index)
        faults = [f"{check.name}: {fault}" for check in report.checks for fault in check.faults]
        said["healthy" if not faults else faults[0].replace(str(tmp_path), "")] += 1
    assert writer.communicate()[1] == ""
    with capsys.disabled():
        print(f"\nthe doctor beside a writer: {dict(said)}")
    assert list(said) == ["healthy"]


def test_readers_of_a_read_only_mount_are_right_while_a_writer_never_rests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, index = tmp_path / "documents", tmp_path / "index"
    folder.mkdir()
    writer = start("writing.py", folder, index, tmp_path / "journal", SECONDS / 2 + 1, *WORDS)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "filled\n"
    with read_only(index, tmp_path / "mounted") as mounted:
        readers = [
            start("reading.py", mounted, tmp_path / f"answers{n}", SECONDS / 2, n, *WORDS)
            for n in range(2)
        ]
        for process in [*readers, writer]:
            _, errors = process.communicate(timeout=SECONDS + 120)
            assert process.returncode == 0, errors
    journal = Journal.read(tmp_path / "journal")
    lines = [
        json.loads(line)
        for n in range(len(readers))
        for line in (tmp_path / f"answers{n}").read_text().splitlines()
    ]
    wrong = Counter(filter(None, (check(line, journal) for line in lines)))
    with capsys.disabled():
        print(f"\nread-only mount: {len(lines)} queries, {wrong.total()} failed or wrong: {wrong}")
    assert lines
    assert wrong == Counter()


@contextmanager
def read_only(folder: Path, place: Path) -> Iterator[Path]:
    """Mount a folder read-only at another place."""
    place.mkdir()
    mount = ["mount", "--bind", str(folder), str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("this process may not mount")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(place)], check=True)
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
