"""SIGKILL at a random instant loses nothing acknowledged and leaves nothing half-written."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import CollectionNotFoundError
from groundkit_index import IndexReader

if TYPE_CHECKING:
    from tests.faults.conftest import Corpus, Held, Index, Killer

KILLS = int(os.environ.get("GROUNDKIT_FAULT_KILLS", "20"))
FIRST = KILLS // 4
DOCUMENTS = 150


def check_no_mixture(held: Held, before: Held, after: Held) -> None:
    """Check that each document is wholly the old or wholly the new one, and none is lost."""
    for source in before.keys() | after.keys() | held.keys():
        allowed = (before.get(source), after.get(source))
        assert held.get(source) in allowed, source
    kept = Counter(contents for contents in held.values())
    for source, contents in before.items():
        moved_or_kept = contents in after.values()
        assert not moved_or_kept or kept[contents], f"{source} is nowhere"


def outcome(held: Held, before: Held, after: Held) -> str:
    if held == after:
        return "all taken up"
    return "nothing taken up" if held == before else "some batches taken up"


@dataclass
class Rounds:
    """Changes the corpus, kills a command that takes it up, and checks what is left, repeatedly."""

    corpus: Corpus
    index: Index
    killer: Killer
    before: Held = field(default_factory=dict)
    kills: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)

    def start(self) -> None:
        self.corpus.add(DOCUMENTS)
        self.heal()

    def heal(self) -> None:
        """Ingest without a kill: no repair by hand is needed, and nothing is missing."""
        self.index.ingest(self.corpus.folder)
        self.before = self.index.held()
        assert self.before == self.corpus.whole()
        self.index.check_finds_all(self.before)

    def run(self, reader: IndexReader) -> None:
        self.corpus.change()
        after = self.corpus.whole()
        rebuild = self.corpus.chance.random() < 0.25
        command = ["rebuild"] if rebuild else ["ingest", self.corpus.folder]
        killed = self.killer.kill(self.index, *command)
        held = self.index.held()
        self.kills += killed
        self.outcomes[outcome(held, self.before, after) if killed else "not killed"] += 1
        assert killed or held == after
        check_no_mixture(held, self.before, after)
        self.index.check_serves_only(held)
        assert len(reader.chunks()) == sum(map(len, held.values()))
        assert "catalog" not in self.index.faults()
        self.before = held
        if self.corpus.chance.random() < 0.6:
            self.heal()
            self.outcomes["healed"] += 1


def test_kills_lose_nothing_acknowledged_and_serve_nothing_half_written(
    corpus: Corpus, index: Index, killer: Killer, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = Rounds(corpus, index, killer)
    rounds.start()
    with IndexReader.open(index.place) as reader:
        while rounds.kills < KILLS - FIRST:
            rounds.run(reader)
    rounds.heal()
    with capsys.disabled():
        print(
            f"\n{rounds.kills} kills: {dict(killer.counts)}; then {dict(rounds.outcomes)}; "
            "0 lost, 0 half-written, 0 repairs by hand"
        )


def test_kills_while_a_collection_is_made_leave_none_or_a_whole_one(
    corpus: Corpus, place: Path, index: Index, killer: Killer, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus.add(DOCUMENTS)
    whole = corpus.whole()
    kills, outcomes = 0, Counter[str]()
    while kills < FIRST:
        index.place = place / f"index{kills}-{outcomes.total()}"
        killed = killer.kill(index, "ingest", corpus.folder)
        kills += killed
        try:
            held = index.held()
        except CollectionNotFoundError:
            outcomes["no collection"] += 1
        else:
            assert held in ({}, whole)
            outcomes["empty" if not held else "whole"] += 1
            index.check_serves_only(held)
            assert "catalog" not in index.faults()
        index.ingest(corpus.folder)
        assert index.held() == whole
        index.check_finds_all(whole)
    with capsys.disabled():
        print(f"\n{kills} kills at the first ingest: {dict(killer.counts)}; then {dict(outcomes)}")
