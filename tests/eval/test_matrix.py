from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundkit_core.errors import SettingsError
from groundkit_eval.setup import Setup
from groundkit_eval.targets.folder import IndexChoice
from groundkit_eval.targets.matrix import MAX_COMBINATIONS, combinations
from groundkit_index.embedders import EmbedderSettings

RunCommand = Callable[..., Any]
HASH = Setup(EmbedderSettings("hash", dimensions=32))


def test_every_combination_is_named_and_those_of_one_index_stand_together() -> None:
    found = combinations(["mode=lexical,hybrid", "chunk_target=300,600"], IndexChoice(), HASH)
    assert [combination.name for combination in found] == [
        "chunk_target=300 mode=lexical",
        "chunk_target=300 mode=hybrid",
        "chunk_target=600 mode=lexical",
        "chunk_target=600 mode=hybrid",
    ]
    assert [c.index.chunking.target for c in found] == [300, 300, 600, 600]
    assert [c.stage for c in found[:2]] == ["lexical", "hybrid"]


def test_settings_of_a_search_reach_it() -> None:
    plain, weighted = (
        combinations(["fusion=rrf", "rerank=no"], IndexChoice(), HASH),
        combinations(["alpha=0.2,0.8"], IndexChoice(), HASH),
    )
    assert plain[0].setup.ranking is not None
    assert plain[0].setup.ranking.fusion == "rrf"
    assert [c.setup.ranking.alpha for c in weighted if c.setup.ranking] == [0.2, 0.8]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (["colour=red"], "unknown key; known are chunk_target"),
        (["chunk_target="], "write key=value"),
        (["chunk_target=big"], "is not a number"),
        (["mode=magic"], "known are lexical, dense, hybrid"),
        (["mode=hybrid"], "needs an embedder"),
        (["rerank=yes"], "needs --reranker"),
        (["mode=lexical", "mode=dense"], "stands twice"),
        (["chunk_target=" + ",".join(map(str, range(100, 125)))], "25 combinations"),
    ],
)
def test_what_cannot_be_run_is_told_at_once(matrix: list[str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        combinations(matrix, IndexChoice(), Setup())


def test_the_bound_is_what_can_be_run() -> None:
    axis = "chunk_target=" + ",".join(str(100 + n) for n in range(MAX_COMBINATIONS))
    assert len(combinations([axis], IndexChoice(), Setup())) == MAX_COMBINATIONS


def test_combinations_are_the_stages_of_a_result(
    run_command: RunCommand, corpus: Path, judgments: Path, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    matrix = ("--matrix", "chunk_target=60,1000", "--matrix", "mode=lexical,hybrid")
    asked = ("run", "--corpus", corpus, "--judgments", judgments, "--embedder", "hash")
    assert run_command(*asked, *matrix, "--json", out).code == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["settings"]["baseline"] == "chunk_target=60 mode=lexical"
    assert result["stages"][3]["settings"] == {"chunk_target": 1000, "mode": "hybrid"}
    assert result["settings"]["embedding"]["provider"] == "hash"
    small, large = (
        result["queries"][1]["stages"][f"chunk_target={size} mode=lexical"]["ranked"]
        for size in (60, 1000)
    )
    longest = [max(hit["end"] - hit["start"] for hit in ranked) for ranked in (small, large)]
    assert longest[0] < longest[1]
