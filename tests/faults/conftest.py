from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pytest

from groundkit_core.chunking import chunk
from groundkit_core.kinds import kind_of
from groundkit_index import CollectionPaths, ingest
from groundkit_index.doctor import examine
from groundkit_index.lock import try_exclusive
from groundkit_retrieval import Collection

WORDS = ("zebra", "giraffe", "camel", "ibex", "lynx", "yak", "okapi", "tapir")
Texts = dict[str, str]
Held = dict[str, tuple[str, ...]]


def chunks_of(source: str, text: str) -> tuple[str, ...]:
    """Return the contents that a whole document has in the index."""
    kind = kind_of(source)
    assert kind is not None
    return tuple(text[span.start : span.end] for span in chunk(text, kind).spans)


@dataclass
class Corpus:
    """A folder that changes at random, and what each of its files holds."""

    folder: Path
    chance: random.Random
    texts: Texts = field(default_factory=dict)
    _made: int = 0

    def text(self) -> str:
        """Return a new text of one to several chunks; no two are equal."""
        self._made += 1
        words = self.chance.choices(WORDS, k=self.chance.choice((6, 40, 300)))
        parts = [f"## Part {n}\n\n{' '.join(words)} {self._made}.{n}." for n in range(3)]
        return "\n\n".join(parts) + "\n"

    def write(self, source: str) -> None:
        path = self.folder / source
        path.parent.mkdir(exist_ok=True)
        self.texts[source] = self.text()
        path.write_text(self.texts[source])

    def add(self, number: int) -> None:
        for _ in range(number):
            self.write(f"{self.chance.randrange(9)}/{self._made:05}.md")

    def change(self) -> None:
        """Add, edit, move and delete some files."""
        sources = self.chance.sample(sorted(self.texts), len(self.texts) // 4)
        for source in sources:
            deed = self.chance.choice(("edit", "edit", "move", "delete", "add"))
            if deed == "edit":
                self.write(source)
            elif deed == "add":
                self.add(1)
            else:
                text = self.texts.pop(source)
                path = self.folder / source
                if deed == "delete":
                    path.unlink()
                else:
                    target = f"{self.chance.randrange(9)}/moved-{path.name}"
                    (self.folder / target).parent.mkdir(exist_ok=True)
                    path.replace(self.folder / target)
                    self.texts[target] = text

    def whole(self) -> Held:
        """Return what an index of the folder holds."""
        return {source: chunks_of(source, text) for source, text in self.texts.items()}


@dataclass
class Index:
    """The index of a corpus, as its users come upon it."""

    place: Path

    @property
    def paths(self) -> CollectionPaths:
        return CollectionPaths.of(self.place, "default")

    def arguments(self, *words: str | Path) -> list[str]:
        index = ("--index-dir", str(self.place))
        command = [str(word) for word in (words[0], *index, *words[1:])]
        return [sys.executable, "-P", "-m", "groundkit_retrieval", *command]

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        """Start the real command."""
        return subprocess.Popen(
            self.arguments(*words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def is_being_written(self) -> bool:
        with try_exclusive(self.paths.lock) as free:
            return not free

    def held(self) -> Held:
        """Return source -> contents of everything that the index holds."""
        found: dict[str, list[str]] = {}
        with Collection.open(index_dir=self.place) as collection:
            for record in collection._reader.chunks():
                found.setdefault(record.source, []).append(record.content)
        return {source: tuple(contents) for source, contents in found.items()}

    def check_serves_only(self, held: Held) -> None:
        """Search, and check that every passage is one that the catalog holds."""
        with Collection.open(index_dir=self.place) as collection:
            for word in WORDS:
                for hit in collection.search(word, limit=20).results:
                    assert hit.content in held[hit.citation.source]
                    assert word in hit.content
            assert collection.verify().checked == sum(map(len, held.values()))

    def check_finds_all(self, held: Held) -> None:
        """Check that the lexical index holds every chunk: the numbers in them are unique."""
        with Collection.open(index_dir=self.place) as collection:
            assert collection.status().pending == 0
            assert dict(collection.verify().verdicts) == {"verified": sum(map(len, held.values()))}
        assert self.faults() == {}

    def faults(self) -> dict[str, tuple[str, ...]]:
        report = examine(index_dir=self.place)
        return {check.name: check.faults for check in report.checks if check.faults}

    def ingest(self, folder: Path) -> None:
        ingest(folder, index_dir=self.place)


@dataclass
class Killer:
    """Kills commands at random instants, mostly while they write, and counts."""

    chance: random.Random
    counts: Counter[str] = field(default_factory=Counter)
    _writing: list[float] = field(default_factory=lambda: [0.3])

    def kill(self, index: Index, *words: str | Path) -> bool:
        """Run a command and kill it at a random instant; return whether it was killed."""
        process = index.start(*words)
        if self.chance.random() < 0.1:
            time.sleep(self.chance.uniform(0, 0.6))
            phase = "before it wrote"
        else:
            while process.poll() is None and not self._writes(index):
                time.sleep(0.002)
            phase = "while it wrote"
            self._pause(process)
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        assert process.returncode in (0, -signal.SIGKILL), errors
        self.counts[phase if process.returncode else "after it was done"] += 1
        return process.returncode != 0

    def _writes(self, index: Index) -> bool:
        return index.paths.lock.exists() and index.is_being_written()

    def _pause(self, process: subprocess.Popen[str]) -> None:
        """Wait for a part of the time that such a command takes to write."""
        began = time.monotonic()
        until = self.chance.uniform(0, median(self._writing[-9:]))
        while process.poll() is None and time.monotonic() - began < until:
            time.sleep(0.001)
        if process.poll() is not None:
            self._writing.append(time.monotonic() - began)


@pytest.fixture(scope="session")
def seed() -> int:
    """`GROUNDKIT_FAULT_SEED`, or one from the clock; the instants of kills differ anyway."""
    return int(os.environ.get("GROUNDKIT_FAULT_SEED", time.time_ns() % 10**6))


@pytest.fixture
def chance(seed: int) -> random.Random:
    print(f"GROUNDKIT_FAULT_SEED={seed}")
    return random.Random(seed)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in memory where there is one, for syncing costs nothing there."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        yield Path(name).resolve()


@pytest.fixture
def corpus(place: Path, chance: random.Random) -> Corpus:
    folder = place / "documents"
    folder.mkdir()
    return Corpus(folder, chance)


@pytest.fixture
def index(place: Path) -> Index:
    return Index(place / "index")


@pytest.fixture
def killer(chance: random.Random) -> Killer:
    return Killer(chance)


Mount = Callable[[int], Path]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Mount]:
    """Return a maker of file systems of so many bytes; needs the right to mount."""
    mounted: list[Path] = []

    def make(size: int) -> Path:
        place = tmp_path / f"disk{len(mounted)}"
        place.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("this process may not mount a small disk")
        mounted.append(place)
        return place

    yield make
    for place in mounted:
        subprocess.run(["umount", "-l", place], check=True)
