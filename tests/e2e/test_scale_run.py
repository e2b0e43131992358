"""The whole benchmark over a few hundred chunks, in real processes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import Any

import pytest
from scripts.bench.corpus import CHECKOUT
from scripts.scale.measures import MEASURES

_SEEDS = CHECKOUT / "evals" / "corpus"
_NOT_HERE = ("bm25s", "to_bm25s")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any]:
    """What the benchmark printed, and what it wrote."""
    out = tmp_path_factory.mktemp("scale") / "figures" / "out.json"
    counts = ["--queries", "12", "--rounds", "1", "--repeats", "1"]
    options = ["--sizes", "300", "--seeds", str(_SEEDS), "--json", str(out), "--no-bm25s", *counts]
    command = [sys.executable, "-m", "scripts.scale", *options]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(out.read_text(encoding="utf-8"))


def test_everything_but_the_peer_that_was_left_out_is_measured(run: tuple[str, Any]) -> None:
    figures = run[1]["sizes"]["300"]["figures"]
    expected = {m.key for m in MEASURES if not any(name in m.key for name in _NOT_HERE)}
    assert expected <= set(figures)
    assert run[1]["queries"]["count"] == 12
    assert "Failed" not in run[0]


def test_the_corpus_has_about_the_chunks_that_were_asked_for(run: tuple[str, Any]) -> None:
    figures = run[1]["sizes"]["300"]["figures"]
    assert 200 < figures["chunks"] < 400
    assert figures["refused"] == 0
    assert figures["answered"] == 12


def test_our_ranking_is_close_to_exact_bm25(run: tuple[str, Any]) -> None:
    figures = run[1]["sizes"]["300"]["figures"]
    assert figures["overlap_body"] > 0.8
    assert figures["overlap_formula"] > 0.8


def test_what_is_published_names_no_path(run: tuple[str, Any]) -> None:
    for text in (run[0], json.dumps(run[1])):
        assert str(CHECKOUT) not in text
        assert tempfile.gettempdir() not in text
