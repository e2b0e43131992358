"""The floors of ranking and abstention hold on public sets, where these are beside the checkout.

Half of the documents that answer no query are left out, so that it takes minutes; the whole sets
are for `make eval-public`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.public.logistic import auroc, fit
from evals.public.ranking import ndcg
from evals.public.sets import archive, is_test

_ROOT = Path(__file__).parents[2]
_WEIGHTS = _ROOT / "tests" / "index" / "embedders" / "weights.py"


def test_ranking_and_abstention_stay_above_their_floors() -> None:
    if not archive().is_file():
        pytest.skip("the public sets are not beside the checkout")
    weights = subprocess.run(
        [sys.executable, str(_WEIGHTS)], capture_output=True, text=True, check=False
    )
    if weights.returncode == 3:
        pytest.skip(f"no weights: {weights.stderr.strip()}")
    command = [sys.executable, "-m", "evals.public", "--model", weights.stdout.strip(), "--check"]
    command += ["--sets", "chroma_spans", "scifact", "--rerank", "0", "--others", "0.5"]
    # Measuring coverage of this run would double its time and add nothing.
    env = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
    done = subprocess.run(
        command, cwd=_ROOT, env=env, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "scifact | 0." in done.stdout
    assert "hybrid scifact: topic 0." in done.stdout


def test_a_run_without_the_sets_says_so(tmp_path: Path) -> None:
    env = {**os.environ, "GROUNDKIT_JUDGED": str(tmp_path / "none.tar.xz")}
    done = subprocess.run(
        [sys.executable, "-m", "evals.public"],
        cwd=_ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (
        3,
        "skipped: the judged sets are not beside the checkout\n",
    )


def test_ndcg_is_that_of_a_hand_computed_ranking() -> None:
    grades = {"a": 2, "b": 1}
    assert ndcg(["a", "b"], grades) == pytest.approx(1.0)
    assert ndcg(["x", "a"], grades) == pytest.approx((2 / 1.5849625) / (2 + 1 / 1.5849625))
    assert ndcg(["x"] * 10 + ["a"], grades) == 0.0


def test_auroc_counts_pairs_and_halves_ties() -> None:
    np = pytest.importorskip("numpy")
    assert auroc(np.array([0.9, 0.5]), np.array([0.5, 0.1])) == pytest.approx(3.5 / 4)
    assert auroc(np.array([1.0]), np.array([0.0])) == 1.0


def test_the_fit_finds_the_model_that_made_the_data() -> None:
    np = pytest.importorskip("numpy")
    random = np.random.default_rng(7)
    features = random.normal(size=(20_000, 2))
    p = 1 / (1 + np.exp(-(2.0 * features[:, 0] - 1.0 * features[:, 1] + 0.5)))
    answered = (random.random(20_000) < p).astype(float)
    weights, bias = fit(features, answered, np.ones(20_000))
    assert weights == pytest.approx([2.0, -1.0], abs=0.1)
    assert bias == pytest.approx(0.5, abs=0.1)


def test_the_split_keeps_half_of_the_queries_and_never_changes() -> None:
    kept = sum(is_test(f"query-{number}") for number in range(2_000))
    assert 900 < kept < 1_100
    assert [is_test(name) for name in ("1", "3", "5", "13")] == [True, False, True, True]
