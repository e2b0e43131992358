"""SIGKILL at a random instant loses nothing acknowledged and leaves nothing half-written."""

from __future__ import annotations

import os
from collections import Counter
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


def test_kills_lose_nothing_acknowledged_and_serve_nothing_half_written(
    corpus: Corpus, index: Index, killer: Killer, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus.add(DOCUMENTS)
    index.ingest(corpus.folder)
    before = corpus.whole()
    assert index.held() == before
    reader = IndexReader.open(index.place)
    kills, outcomes = 0, Counter[str]()
    while kills < KILLS - FIRST:
        rebuild = corpus.chance.random() < 0.25
        corpus.change()
        after = corpus.whole()
        command = ["rebuild"] if rebuild else ["ingest", corpus.folder]
        killed = killer.kill(index, *command)
        kills += killed
        held = index.held()
        outcomes[outcome(held, before, after) if killed else "not killed"] += 1
        check_no_mixture(held, before, after)
        assert killed or held == after
        index.check_serves_only(held)
        assert len(reader.chunks()) == sum(map(len, held.values()))
        assert "catalog" not in index.faults()
        before = held
        if corpus.chance.random() < 0.6:
            index.ingest(corpus.folder)
            before = index.held()
            assert before == after
            index.check_finds_all(after)
            outcomes["healed"] += 1
    reader.close()
    index.ingest(corpus.folder)
    assert index.held() == corpus.whole()
    index.check_finds_all(corpus.whole())
    with capsys.disabled():
        print(f"\n{kills} kills: {dict(killer.counts)}; then {dict(outcomes)}; 0 lost, 0 half")


def test_kills_while_a_collection_is_made_leave_none_or_a_whole_one(
    corpus: Corpus, tmp_path: Path, index: Index, killer: Killer, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus.add(DOCUMENTS)
    whole = corpus.whole()
    kills, outcomes = 0, Counter[str]()
    while kills < FIRST:
        index.place = tmp_path / f"index{kills}-{outcomes.total()}"
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
