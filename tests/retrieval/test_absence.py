"""What is not there is not answered, in every mode, and the answer says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundkit_core.contracts import Calibration, Tuning
from groundkit_index.tuning import tune
from groundkit_retrieval import Collection

_ABSENT = "what is the boiling point of liquid helium in space"
_PRESENT = "why do zebra stripes confuse biting flies"


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_strict_withholds_what_nothing_answers_and_says_so(hashed: Path, mode: str) -> None:
    with Collection.open(index_dir=hashed) as collection:
        normal = collection.search(_ABSENT, mode=mode)
        strict = collection.search(_ABSENT, mode=mode, confidence="strict")
    assert {hit.confidence for hit in normal.results} <= {"low"}
    assert strict.status == "NO_RELEVANT_CONTEXT"
    if normal.results:
        assert strict.reason == "strict_blocked_low"
        assert strict.coverage.withheld.low_confidence == len(normal.results)
    else:
        assert strict.reason == "no_results"


@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_strict_answers_what_is_there(hashed: Path, mode: str) -> None:
    with Collection.open(index_dir=hashed) as collection:
        found = collection.search(_PRESENT, mode=mode, confidence="strict")
    assert found.status == "OK"
    assert found.results[0].citation.source == "zebra.md"
    assert found.results[0].confidence in {"medium", "high"}


def test_a_calibrated_threshold_is_taken_up_by_an_open_collection(hashed: Path) -> None:
    with Collection.open(index_dir=hashed) as collection:
        before = collection.search(_PRESENT, confidence="strict")
        found = collection.assess(_PRESENT)
        strictest = Calibration(
            threshold=1.0, max_false_answer_rate=0.05, unanswerable=40, judgments="0" * 64
        )
        tune(
            lambda t: t.model_copy(update={"calibrations": {"hybrid": strictest}}), index_dir=hashed
        )
        after = collection.search(_PRESENT, confidence="strict")
        lexical = collection.search(_PRESENT, confidence="strict", mode="lexical")
    assert before.status == "OK"
    assert found.mode == "hybrid"
    assert 0 < found.probability < 1
    assert (after.status, after.reason) == ("NO_RELEVANT_CONTEXT", "strict_blocked_low")
    assert lexical.status == "OK"


def test_a_rebuild_keeps_the_tuning_and_new_vectors_drop_their_threshold(hashed: Path) -> None:
    from groundkit_index.embedders import EmbedderSettings
    from groundkit_index.reader import IndexReader
    from groundkit_index.rebuild import rebuild

    def tuning() -> Tuning:
        with IndexReader.open(hashed) as reader:
            return reader.read(lambda snapshot: snapshot.tuning)

    chosen = Calibration(
        threshold=0.5, max_false_answer_rate=0.1, unanswerable=20, judgments="0" * 64
    )
    both = Tuning(alpha=0.7, calibrations={"hybrid": chosen, "lexical": chosen})
    tune(lambda _: both, index_dir=hashed)
    rebuild(index_dir=hashed)
    assert tuning() == both
    rebuild(index_dir=hashed, embedder=EmbedderSettings("hash", query_prefix="q: "))
    assert tuning() == Tuning(alpha=0.7, calibrations={"lexical": chosen})
