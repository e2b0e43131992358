from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from groundkit_core.contracts import Mode, Tuning
from groundkit_core.errors import CollectionNotFoundError, ModeUnavailableError, RequestError
from groundkit_eval import CalibrationError, EvaluationError, JudgmentsError, LeakError, calibrate
from groundkit_eval.calibration.halves import halves
from groundkit_index import ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_index.tuning import tune
from groundkit_retrieval import Collection

RunCommand = Callable[..., Any]
Write = Callable[[Sequence[dict[str, Any] | str]], Path]

SPOKEN = ("job", "token", "queue", "lease", "backup", "tenant", "limits", "minute", "worker")
UNHEARD = ("zeppelin", "harpsichord", "glacier", "sourdough", "marmot", "lighthouse", "quartz")
GOLD = [{"source": "guide/tokens.md", "quote": "ninety days"}]
ANSWERABLE = (
    "failed job is tried again",
    "how often is a job tried",
    "token valid for ninety days",
    "rotate a token",
    "revoked tokens refused within one minute",
    "prolong a lease",
    "renewLease worker",
    "one queue per tenant",
    "shared queue starve",
    "six times parked for a person",
)


def judged(unanswerable: int, answerable: int = len(ANSWERABLE)) -> list[dict[str, Any]]:
    """Return judged queries; the unanswerable ones share a word or two with the corpus."""
    lines: list[dict[str, Any]] = [
        {"id": f"a{n}", "query": ANSWERABLE[n], "category": "plain", "gold": GOLD}
        for n in range(answerable)
    ]
    for n in range(unanswerable):
        rare = " ".join(UNHEARD[(n + step) % len(UNHEARD)] for step in range(n % 4))
        query = f"{SPOKEN[n % len(SPOKEN)]} {rare} {UNHEARD[n % len(UNHEARD)]}"
        lines.append({"id": f"n{n}", "query": query, "category": "none", "gold": []})
    return lines


@pytest.fixture
def index(corpus: Path, tmp_path: Path) -> Path:
    """The folder of a lexical collection."""
    ingest(corpus, index_dir=tmp_path / "index")
    return tmp_path / "index"


@pytest.fixture
def hashed(index: Path) -> Path:
    """The folder of a collection with vectors."""
    embed(index_dir=index, embedder=EmbedderSettings("hash"))
    return index


@pytest.fixture
def plenty(write_judgments: Write) -> Path:
    return write_judgments(judged(24))


def tuning_of(index: Path) -> Tuning:
    return tune(lambda tuning: tuning, index_dir=index)


def assessed(index: Path, lines: list[dict[str, Any]], mode: Mode) -> dict[str, tuple[float, str]]:
    with Collection.open(index_dir=index) as collection:
        found = {line["id"]: collection.assess(line["query"], mode=mode) for line in lines}
    return {name: (seen.probability, seen.level) for name, seen in found.items()}


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
def test_the_threshold_is_the_conformal_one_of_the_calibration_half(
    mode: Mode, hashed: Path, plenty: Path
) -> None:
    result = calibrate(plenty, index_dir=hashed, mode=mode, max_false_answer_rate=0.2)
    lines = judged(24)
    seen = assessed(hashed, lines, mode)
    chosen_on, held_out = halves(line["id"] for line in lines if not line["gold"])
    # n = 12, so k = ceil(13 * 0.8) = 11.
    kth = sorted(seen[name][0] for name in chosen_on)[10]
    assert result.threshold == math.nextafter(kth, 1.0)
    assert (result.bound, result.mode) == (round(2 / 13, 6), mode)
    assert result.false_answers.of == len(held_out) == 12
    assert result.false_answers.count == sum(seen[n][0] > kth for n in held_out)


def test_the_gate_of_the_collection_obeys_from_then_on(index: Path, plenty: Path) -> None:
    result = calibrate(plenty, index_dir=index, max_false_answer_rate=0.2)
    lines = judged(24)
    seen = assessed(index, lines, "lexical")
    assert {level for _, level in seen.values()} >= {"low"}
    for probability, level in seen.values():
        assert (level == "low") == (probability < result.threshold)
    for kind, share in ((False, result.false_answers), (True, result.answered)):
        _, held_out = halves(line["id"] for line in lines if bool(line["gold"]) == kind)
        answered = [name for name in held_out if seen[name][1] != "low"]
        assert (len(answered), len(held_out)) == (share.count, share.of)
        assert share.low <= share.share <= share.high
    assert result.answered.share > result.false_answers.share


def test_the_collection_keeps_what_it_was_told_before(hashed: Path, plenty: Path) -> None:
    tune(lambda tuning: tuning.model_copy(update={"fusion": "rrf"}), index_dir=hashed)
    first = calibrate(plenty, index_dir=hashed, mode="lexical", max_false_answer_rate=0.2)
    second = calibrate(plenty, index_dir=hashed, max_false_answer_rate=0.3)
    kept = tuning_of(hashed)
    assert kept.fusion == "rrf"
    assert list(kept.calibrations) == ["lexical", "hybrid"]
    written = kept.calibrations["hybrid"]
    assert written.threshold == second.threshold
    assert kept.calibrations["lexical"].threshold == first.threshold
    assert (written.max_false_answer_rate, written.unanswerable) == (0.3, 12)
    assert written.judgments == second.judgments


def test_the_best_mode_the_collection_has_is_calibrated(index: Path, plenty: Path) -> None:
    assert calibrate(plenty, index_dir=index, max_false_answer_rate=0.2).mode == "lexical"
    embed(index_dir=index, embedder=EmbedderSettings("hash"))
    assert calibrate(plenty, index_dir=index, max_false_answer_rate=0.2).mode == "hybrid"


def test_a_dry_run_tells_the_same_and_writes_nothing(index: Path, plenty: Path) -> None:
    before = tuning_of(index)
    dry = calibrate(plenty, index_dir=index, max_false_answer_rate=0.2, dry_run=True)
    assert tuning_of(index) == before == Tuning()
    wet = calibrate(plenty, index_dir=index, max_false_answer_rate=0.2)
    assert (dry.written, wet.written) == (False, True)
    assert dry.model_copy(update={"written": True}) == wet


def test_neither_the_order_of_the_lines_nor_a_calibration_before_matters(
    index: Path, write_judgments: Write
) -> None:
    first = calibrate(write_judgments(judged(24)), index_dir=index, max_false_answer_rate=0.1)
    again = calibrate(write_judgments(judged(24)), index_dir=index, max_false_answer_rate=0.1)
    assert first.to_json() == again.to_json()
    turned = write_judgments(judged(24)[::-1])
    other = calibrate(turned, index_dir=index, max_false_answer_rate=0.1)
    assert other.model_copy(update={"judgments": first.judgments}) == first


@pytest.mark.parametrize(("rate", "needed"), [(0.05, 37), (0.1, 17), (0.2, 7), (0.6, 2)])
def test_too_few_judgments_are_refused_and_just_enough_are_not(
    rate: float, needed: int, index: Path, write_judgments: Write
) -> None:
    few = write_judgments(judged(needed - 1))
    with pytest.raises(CalibrationError, match=rf"at least {needed} unanswer.* have {needed - 1};"):
        calibrate(few, index_dir=index, max_false_answer_rate=rate)
    enough = calibrate(
        write_judgments(judged(needed)), index_dir=index, max_false_answer_rate=rate, dry_run=True
    )
    assert enough.unanswerable.calibration + enough.unanswerable.held_out == needed


def test_answerable_queries_are_needed_as_well(index: Path, write_judgments: Write) -> None:
    with pytest.raises(CalibrationError, match=r"at least 2 answerable .* have 0; add some"):
        calibrate(write_judgments(judged(24, 0)), index_dir=index, max_false_answer_rate=0.2)


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.1, math.nan])
def test_a_rate_that_is_none_is_refused(rate: float, index: Path, plenty: Path) -> None:
    with pytest.raises(RequestError, match="between 0 and 1"):
        calibrate(plenty, index_dir=index, max_false_answer_rate=rate)


@pytest.mark.parametrize("mode", ["dense", "hybrid"])
def test_a_run_in_which_a_branch_fails_never_calibrates(
    mode: Mode, index: Path, plenty: Path, model_server: Any
) -> None:
    embed(index_dir=index, embedder=model_server.settings)
    calibrate(plenty, index_dir=index, mode=mode, max_false_answer_rate=0.2, dry_run=True)
    model_server.left = 20
    with pytest.raises(EvaluationError, match=r"dense failed in a .* search, so nothing"):
        calibrate(plenty, index_dir=index, mode=mode, max_false_answer_rate=0.2)
    assert tuning_of(index) == Tuning()


def test_a_mode_without_vectors_is_refused(index: Path, plenty: Path) -> None:
    with pytest.raises(ModeUnavailableError):
        calibrate(plenty, index_dir=index, mode="hybrid", max_false_answer_rate=0.2)


def test_a_collection_that_is_embedded_in_part_is_refused(index: Path, plenty: Path) -> None:
    stop = Event()
    stop.set()
    assert embed(index_dir=index, embedder=EmbedderSettings("hash"), stop=stop).pending
    with pytest.raises(CalibrationError, match="run `groundkit embed` first"):
        calibrate(plenty, index_dir=index, max_false_answer_rate=0.2)
    assert calibrate(plenty, index_dir=index, mode="lexical", max_false_answer_rate=0.2).written


def test_judgments_that_are_a_document_of_the_collection_are_refused(
    corpus: Path, index: Path, plenty: Path
) -> None:
    inside = corpus / "guide" / "questions.txt"
    inside.write_bytes(plenty.read_bytes())
    assert calibrate(inside, index_dir=index, max_false_answer_rate=0.2, dry_run=True).auroc > 0
    ingest(corpus, index_dir=index)
    with pytest.raises(LeakError, match=r"questions\.txt is a document of the collection"):
        calibrate(inside, index_dir=index, max_false_answer_rate=0.2)


def test_malformed_judgments_are_listed(index: Path, write_judgments: Write) -> None:
    path = write_judgments([*judged(24), "{", {"id": "x"}])
    with pytest.raises(JudgmentsError, match=r"judgments\.jsonl:35: ") as caught:
        calibrate(path, index_dir=index, max_false_answer_rate=0.2)
    assert len(caught.value.problems) > 1


def test_a_missing_collection_is_not_made(tmp_path: Path, plenty: Path) -> None:
    with pytest.raises(CollectionNotFoundError):
        calibrate(plenty, index_dir=tmp_path / "none", max_false_answer_rate=0.2)
    assert not (tmp_path / "none").exists()


def test_progress_tells_how_far_it_is(index: Path, plenty: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    calibrate(
        plenty,
        index_dir=index,
        max_false_answer_rate=0.2,
        progress=lambda *step: seen.append(step),
    )
    assert (seen[0], seen[-1]) == (("lexical", 1, 34), ("lexical", 34, 34))


def test_the_command_prints_what_the_threshold_does(
    run_command: RunCommand, index: Path, plenty: Path, tmp_path: Path
) -> None:
    out = tmp_path / "calibration.json"
    arguments = ("--index-dir", index, "--collection", "default", "--judgments", plenty)
    done = run_command("calibrate", *arguments, "--max-false-answer-rate", "0.2", "--json", out)
    assert (done.code, done.err) == (0, "")
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["schema"] == "groundkit-eval-calibration/1"
    rows = {line[:14].strip(): line[14:].split() for line in done.out.splitlines() if line}
    assert rows["threshold"][0] == f"{result['threshold']:.6f}"
    for row, key in (("answered", "answered"), ("false answers", "false_answers")):
        share = result[key]
        assert rows[row][:4] == [
            f"{share['share']:.3f}",
            str(share["count"]),
            "of",
            str(share["of"]),
        ]
        assert rows[row][-3:] == [f"{share['low']:.3f}", "to", f"{share['high']:.3f}"]
    assert rows["guaranteed"][0] == f"{result['bound']:.3f}"
    assert rows["AUROC"][0] == f"{result['auroc']:.3f}"
    assert "The collection has the threshold now." in done.out
    assert tuning_of(index).calibrations["lexical"].threshold == result["threshold"]


def test_the_command_finds_the_collection_by_the_settings_and_can_run_dry(
    run_command: RunCommand, index: Path, plenty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDKIT_INDEX_DIR", str(index))
    arguments = ("--judgments", plenty, "--max-false-answer-rate", "0.2", "--dry-run")
    done = run_command("calibrate", *arguments)
    assert (done.code, done.err) == (0, "")
    assert "Nothing was written." in done.out
    assert tuning_of(index) == Tuning()


@pytest.mark.parametrize(
    ("changed", "code", "message"),
    [
        ({"--max-false-answer-rate": "0"}, 2, "--max-false-answer-rate"),
        ({"--max-false-answer-rate": "1"}, 2, "--max-false-answer-rate"),
        ({"--max-false-answer-rate": "nan"}, 2, "between 0 and 1"),
        ({"--mode": "fuzzy"}, 2, "--mode"),
        ({"--mode": "dense"}, 2, "has no vectors"),
        ({"--json": "judgments.jsonl"}, 2, "overwrite the judgments"),
        ({"--json": "no/such/out.json"}, 1, "out.json"),
        ({"--collection": "absent"}, 1, "absent"),
        ({"--judgments": "absent.jsonl"}, 1, "absent.jsonl cannot be read"),
        ({"--max-false-answer-rate": "0.01"}, 1, "needs at least 197 unanswerable queries"),
    ],
)
def test_a_failure_is_one_line_and_changes_nothing(
    changed: dict[str, str],
    code: int,
    message: str,
    run_command: RunCommand,
    index: Path,
    plenty: Path,
) -> None:
    options = {"--judgments": plenty.name, "--max-false-answer-rate": "0.2", "--index-dir": "index"}
    written = plenty.read_bytes()
    done = run_command("calibrate", *(part for o in (options | changed).items() for part in o))
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert message in done.err
    assert tuning_of(index) == Tuning()
    assert plenty.read_bytes() == written


def test_real_weights_calibrate_the_hybrid_search(index: Path, plenty: Path, minilm: Path) -> None:
    embed(index_dir=index, embedder=EmbedderSettings("onnx", model=str(minilm)))
    result = calibrate(plenty, index_dir=index, max_false_answer_rate=0.2)
    assert result.mode == "hybrid"
    assert result.auroc > 0.8
    assert tuning_of(index).calibrations["hybrid"].threshold == result.threshold
