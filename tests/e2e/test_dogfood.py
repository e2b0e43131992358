"""The repository as its own corpus: questions land on the right file, and access is denied."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from evals.dogfood.corpus import NoCheckoutError, sources, write
from evals.dogfood.denials import EXPECTED, answered_by, outcomes
from evals.dogfood.landing import FLOOR, landing
from evals.dogfood.running import JUDGMENTS, Measured, run
from groundkit_core.contracts import SourceClass
from groundkit_eval.judgments.jsonl import read_judgments
from groundkit_eval.judgments.leaks import gives_away
from groundkit_eval.judgments.model import Judgment
from groundkit_index import IngestOptions, ingest
from groundkit_retrieval import Collection

_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def judgments() -> list[Judgment]:
    file = read_judgments(JUDGMENTS)
    file.problems.raise_if_any()
    return list(file.judgments.values())


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    try:
        return run(tmp_path_factory.mktemp("dogfood"))
    except NoCheckoutError as error:
        pytest.skip(str(error))


def test_every_kind_of_question_is_asked(judgments: list[Judgment]) -> None:
    kinds = Counter(judgment.category for judgment in judgments)
    assert len(judgments) >= 48
    assert sum(bool(judgment.gold) for judgment in judgments) >= 40
    assert kinds["unanswerable"] >= 5
    assert set(kinds) >= {"code", "docs", "decisions", "config", "identifier", "near-duplicate"}
    assert {judgment.source_class for judgment in judgments} == {"all", "config"}


def test_every_quote_stands_once_in_its_source(judgments: list[Judgment]) -> None:
    for judgment in judgments:
        for quote in (quote for gold in judgment.gold for quote in gold.quotes):
            text = (_ROOT / quote.source).read_text(encoding="utf-8")
            assert text.count(quote.quote) == 1, (judgment.id, quote)


def test_no_question_gives_its_answer_away(judgments: list[Judgment]) -> None:
    for judgment in judgments:
        for quote in (quote for gold in judgment.gold for quote in gold.quotes):
            assert not gives_away(judgment.query, quote.quote), judgment.id


def test_golden_questions_land_on_the_right_file(measured: Measured) -> None:
    landed = landing(measured.result)
    assert landed.answerable >= 40
    assert landed.share >= FLOOR, [query.query for query in landed.missed]


@pytest.mark.parametrize("source_class", ["code", "config"])
def test_who_may_not_read_an_answer_does_not_get_it(
    source_class: SourceClass, measured: Measured, judgments: list[Judgment]
) -> None:
    asked = {judgment.query for judgment in judgments if answered_by(judgment) == source_class}
    access = [outcome for outcome in measured.access if outcome.question in asked]
    assert len(asked) >= 8
    assert [outcome for outcome in access if not outcome.kept] == []
    for expected in EXPECTED[source_class]:
        got = [o.got for o in access if (o.profile, o.asked) == (expected.profile, expected.asked)]
        assert len(got) == len(asked)
        if not expected.may:
            assert set(got) == {"NO_RELEVANT_CONTEXT (acl_denied)"}
    if source_class == "code":
        assert sum(outcome.asked == "by id" for outcome in access) == len(asked)


def test_documents_of_a_class_that_they_are_not_are_noticed(tmp_path: Path) -> None:
    judgment = Judgment.model_validate_json(
        '{"id": "lease", "query": "renew_lease", "category": "identifier",'
        ' "gold": [{"source": "lease.py", "quote": "def renew_lease"}]}'
    )
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "lease.py").write_text("def renew_lease() -> float:\n    return 15.0\n")
    kept = {}
    index = tmp_path / "index"
    for name, options in (("right", IngestOptions()), ("wrong", IngestOptions(None, "docs"))):
        ingest(folder, index_dir=index, collection=name, options=options)
        with Collection.open(name, index_dir=index) as collection:
            kept[name] = [outcome.kept for outcome in outcomes(collection, [judgment])]
    assert kept["right"] == [True] * 5
    assert False in kept["wrong"]


def test_tests_evaluations_and_generated_files_are_left_out(tmp_path: Path) -> None:
    try:
        count = write(tmp_path / "corpus")
    except NoCheckoutError as error:
        pytest.skip(str(error))
    found = {path.relative_to(tmp_path / "corpus").as_posix() for path in _files(tmp_path)}
    assert len(found) == count
    assert found >= {"README.md", "pyproject.toml", "docs/policy.md", "Makefile"}
    assert not [name for name in found if name.startswith(("tests/", "evals/", "docs/operations"))]
    assert "requirements.lock" not in found


def test_without_a_checkout_it_is_skipped_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoCheckoutError, match="no checkout"):
        list(sources(tmp_path))
    done = subprocess.run(
        [sys.executable, "-m", "evals.dogfood.corpus"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "usage: python -m evals.dogfood.corpus FOLDER\n"


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
