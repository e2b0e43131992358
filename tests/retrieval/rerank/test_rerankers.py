from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from groundkit_core.errors import EmbeddingError, SettingsError
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.embedders.onnx import OnnxEmbedder
from groundkit_retrieval.rerank import RERANKERS, RerankerSettings, make_reranker
from groundkit_retrieval.rerank.scores import checked_scores

_QUERY = "How do I reset my password?"
_PASSAGES = [
    "Volcanic rocks form when lava cools at the surface.",
    "To change a forgotten password, open the account page and choose Reset.",
    "",
    "The account page shows your invoices.",
]


@pytest.fixture(scope="module")
def embedder(minilm: Path) -> OnnxEmbedder:
    return OnnxEmbedder(EmbedderSettings("onnx", model=str(minilm)))


class TestRegistry:
    def test_rerankers_are_named_in_order(self) -> None:
        assert RERANKERS == ("fastembed", "maxsim", "sentence-transformers")

    def test_asking_without_one_configured_is_an_error(self) -> None:
        with pytest.raises(SettingsError, match="asked for and none is configured; known: fast"):
            make_reranker(RerankerSettings(""))

    def test_an_unknown_one_is_an_error_that_names_the_known_ones(self) -> None:
        with pytest.raises(SettingsError, match="no reranker 'cohere'; known: fastembed, maxsim"):
            make_reranker(RerankerSettings("cohere"))

    @pytest.mark.skipif(
        find_spec("sentence_transformers") is not None, reason="sentence-transformers is installed"
    )
    def test_a_missing_package_is_one_line_that_says_how_to_install_it(self) -> None:
        with pytest.raises(EmbeddingError, match="run `pip install 'sentence-transformers'`"):
            make_reranker(RerankerSettings("sentence-transformers"))

    def test_maxsim_needs_token_vectors(self) -> None:
        words = make_embedder(EmbedderSettings("hash"))
        with pytest.raises(SettingsError, match="needs the directory of an onnx model"):
            make_reranker(RerankerSettings("maxsim"), embedder=words)

    def test_a_setting_out_of_range_is_named(self) -> None:
        with pytest.raises(SettingsError, match="batch_items"):
            RerankerSettings("maxsim", batch_items=0)


class TestMaxSim:
    def test_the_passage_that_answers_comes_first(self, embedder: OnnxEmbedder) -> None:
        scores = make_reranker(RerankerSettings("maxsim"), embedder).rerank(_QUERY, _PASSAGES)
        assert sorted(range(4), key=lambda place: -scores[place]) == [1, 3, 0, 2]
        assert scores[2] == -1
        assert all(-1 <= score <= 1 + 1e-6 for score in scores)

    def test_the_score_is_the_mean_of_the_best_cosines(self, embedder: OnnxEmbedder) -> None:
        query, passage = embedder.token_vectors([_QUERY, _PASSAGES[1]])
        best = [max(float(np.dot(word, other)) for other in passage) for word in query]
        scores = make_reranker(RerankerSettings("maxsim"), embedder).rerank(_QUERY, _PASSAGES[1:2])
        assert scores == pytest.approx([sum(best) / len(best)], abs=1e-5)

    def test_a_text_answers_itself_wholly(self, embedder: OnnxEmbedder) -> None:
        reranker = make_reranker(RerankerSettings("maxsim"), embedder)
        assert reranker.rerank(_QUERY, [_QUERY]) == pytest.approx([1], abs=1e-5)

    def test_the_company_of_a_passage_does_not_change_its_score(
        self, embedder: OnnxEmbedder
    ) -> None:
        reranker = make_reranker(RerankerSettings("maxsim"), embedder)
        together = reranker.rerank(_QUERY, _PASSAGES)
        alone = [reranker.rerank(_QUERY, [passage])[0] for passage in _PASSAGES]
        assert alone == pytest.approx(together, abs=1e-5)

    def test_a_query_without_words_prefers_nothing(self, embedder: OnnxEmbedder) -> None:
        reranker = make_reranker(RerankerSettings("maxsim"), embedder)
        assert reranker.rerank(" ", _PASSAGES) == [0, 0, 0, 0]
        assert reranker.rerank(_QUERY, []) == []

    def test_a_model_of_its_own_is_used_and_closed(self, minilm: Path) -> None:
        reranker = make_reranker(RerankerSettings("maxsim", model=str(minilm)))
        first = reranker.rerank(_QUERY, _PASSAGES)
        reranker.close()
        assert reranker.rerank(_QUERY, _PASSAGES) == first
        reranker.close()


class TestFastembed:
    def test_its_weights_are_announced_and_their_lack_is_one_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        pytest.importorskip("fastembed")
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        notices: list[str] = []
        settings = RerankerSettings("fastembed", cache_dir=tmp_path)
        reranker = make_reranker(settings, notice=lambda message: notices.append(message))
        with pytest.raises(EmbeddingError, match="could not be downloaded") as refused:
            reranker.rerank(_QUERY, _PASSAGES)
        assert len(str(refused.value).splitlines()) == 1
        assert len(notices) == 1
        assert "ms-marco-MiniLM-L-6-v2 (about 80 MB, once)" in notices[0]
        assert capfd.readouterr() == ("", "")

    def test_an_unknown_model_is_an_error(self) -> None:
        pytest.importorskip("fastembed")
        with pytest.raises(SettingsError, match="no model 'someone/else'"):
            make_reranker(RerankerSettings("fastembed", model="someone/else")).rerank("a", ["b"])


class TestScores:
    @pytest.mark.parametrize(
        ("raw", "message"),
        [
            ([1.0], "1 scores for 2 passages"),
            ([1.0, math.nan], "not finite"),
            ([1.0, math.inf], "not finite"),
            ([[1.0, 2.0], [3.0, 4.0]], "more than one score"),
            ([None, None], "more than one score"),
        ],
    )
    def test_scores_that_are_none_are_refused(self, raw: list[object], message: str) -> None:
        with pytest.raises(EmbeddingError, match=message):
            checked_scores(raw, 2, "the model")
