from __future__ import annotations

from pathlib import Path

import pytest

from groundkit_index.tuning import tune
from groundkit_retrieval import Collection
from groundkit_retrieval.fusion import Fusion, default_alpha
from groundkit_retrieval.tuning import RankingChoice

_QUERY = "flies on a zebra at dawn"


@pytest.mark.parametrize(
    ("provider", "model", "alpha"),
    [
        ("onnx", "all-MiniLM-L6-v2", 0.5),
        ("fastembed", "BAAI/bge-small-en-v1.5", 0.5),
        ("hash", "hash", 0.3),
        ("onnx", "potion-base-8M", 0.3),
        ("openai", "static-retrieval-mrl-en-v1", 0.3),
        ("onnx", "ecstatic-large", 0.5),
    ],
)
def test_static_embedders_weigh_less(provider: str, model: str, alpha: float) -> None:
    assert default_alpha({"provider": provider, "model": model}) == alpha


def _scores(index_dir: Path, choice: RankingChoice | None = None) -> list[tuple[str, float]]:
    with Collection.open(index_dir=index_dir, ranking=choice) as collection:
        found = collection.search(_QUERY, limit=5)
    assert found.mode == "hybrid"
    return [(hit.citation.source, hit.score) for hit in found.results]


def test_rrf_can_be_chosen_for_a_search(hashed: Path) -> None:
    found = _scores(hashed, RankingChoice(fusion="rrf"))
    assert all(score <= 2 / 61 for _, score in found)
    assert found[0][1] > 1 / 61
    assert _scores(hashed)[0][1] > 0.5


def test_the_collection_remembers_a_choice_and_a_caller_wins(hashed: Path) -> None:
    default = _scores(hashed)
    assert default == _scores(hashed, RankingChoice(alpha=0.3))
    tune(lambda t: t.model_copy(update={"alpha": 1.0}), index_dir=hashed)
    remembered = _scores(hashed)
    assert remembered == _scores(hashed, RankingChoice(alpha=1.0)) != default
    assert _scores(hashed, RankingChoice(alpha=0.3)) == default


def test_alpha_moves_between_the_two_branches() -> None:
    lexical, dense = [(1, 9.0), (2, 1.0)], [(2, 0.9), (1, 0.1)]
    assert Fusion("weighted", 0.0).join(lexical, dense)[0][0] == 1
    assert Fusion("weighted", 1.0).join(lexical, dense)[0][0] == 2
    assert [key for key, _ in Fusion("rrf").join(lexical, dense)] == [1, 2]
