from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundkit_core.errors import EmbeddingError, SettingsError
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.embedders.onnx import OnnxEmbedder

# Vectors of one text differ by float rounding with the batch it is in, no more.
_ROUNDING = 1e-5
_TEXTS = [
    "How do I reset my password?",
    "What should I do when I have forgotten my password?",
    "Volcanic rocks form when lava cools.",
    "短い文",
    "",
    "word " * 300,
    *[f"Line {number} of a longer list. " * (1 + number % 7) for number in range(10)],
]

Folder = Callable[..., Path]


@pytest.fixture(scope="module")
def embedder(minilm: Path) -> OnnxEmbedder:
    return OnnxEmbedder(EmbedderSettings("onnx", model=str(minilm)))


@pytest.fixture(scope="module")
def vectors(embedder: OnnxEmbedder) -> Any:
    return embedder.embed_documents(_TEXTS)


@pytest.fixture
def folder(minilm: Path, tmp_path: Path) -> Folder:
    """Makes a folder with the model and whatever else is given."""

    def make(**files: str) -> Path:
        made = tmp_path / "model"
        made.mkdir()
        for name in ("model.onnx", "tokenizer.json"):
            (made / name).symlink_to(minilm / name)
        for name, text in files.items():
            path = made / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return made

    return make


def _open(folder: Path, **options: Any) -> OnnxEmbedder:
    return OnnxEmbedder(EmbedderSettings("onnx", model=str(folder), **options))


class TestVectors:
    def test_they_have_unit_length(self, vectors: Any) -> None:
        assert vectors.shape == (len(_TEXTS), 384)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    def test_a_paraphrase_is_nearer_than_another_subject(self, vectors: Any) -> None:
        question, paraphrase, other = vectors[:3]
        assert question @ paraphrase > 0.6
        assert question @ other < 0.2

    def test_neither_order_nor_company_changes_a_vector(
        self, embedder: OnnxEmbedder, vectors: Any
    ) -> None:
        reverse = embedder.embed_documents(_TEXTS[::-1])[::-1]
        alone = np.stack([embedder.embed_documents([text])[0] for text in _TEXTS])
        assert np.abs(reverse - vectors).max() < _ROUNDING
        assert np.abs(alone - vectors).max() < _ROUNDING

    def test_they_are_those_of_the_bare_runtime(self, minilm: Path, vectors: Any) -> None:
        import onnxruntime
        import tokenizers

        tokenizer = tokenizers.Tokenizer.from_file(str(minilm / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(256)
        session = onnxruntime.InferenceSession(str(minilm / "model.onnx"))
        for text, vector in zip(_TEXTS[:7], vectors, strict=False):
            ids = np.asarray([tokenizer.encode(text).ids])
            ones, zeros = np.ones_like(ids), np.zeros_like(ids)
            feeds = {"input_ids": ids, "attention_mask": ones, "token_type_ids": zeros}
            mean = session.run(None, feeds)[0].mean(axis=1)[0]
            assert np.abs(mean / np.linalg.norm(mean) - vector).max() < _ROUNDING

    def test_a_query_is_a_passage_where_no_prefix_tells_them_apart(
        self, embedder: OnnxEmbedder, vectors: Any
    ) -> None:
        assert np.abs(embedder.embed_query(_TEXTS[0]) - vectors[0]).max() < _ROUNDING

    def test_any_text_has_a_vector(self, embedder: OnnxEmbedder) -> None:
        odd = ["\ud83d", "\0\x01", " \n\t", "e\u0301" * 50, "\U0001f600" * 300]
        assert embedder.embed_documents(odd).shape == (5, 384)
        assert embedder.embed_documents([]).shape == (0, 384)

    def test_threads_may_share_an_embedder(self, embedder: OnnxEmbedder, vectors: Any) -> None:
        found: list[Any] = [None] * 4

        def embed(place: int) -> None:
            found[place] = embedder.embed_documents(_TEXTS[: 2 + place])

        threads = [threading.Thread(target=embed, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for place, answer in enumerate(found):
            assert np.abs(answer - vectors[: 2 + place]).max() < _ROUNDING


class TestIdentity:
    def test_it_names_the_weights(self, embedder: OnnxEmbedder) -> None:
        identity = embedder.identity
        assert identity.provider == "onnx"
        assert identity.model == "minilm-int8-1.0.0"
        assert identity.revision == "8199be6f699a395f"
        assert identity.dimensions == 384
        assert identity.normalized

    def test_another_way_of_using_the_weights_is_another_identity(
        self, minilm: Path, embedder: OnnxEmbedder
    ) -> None:
        other = _open(minilm, pooling="cls", max_tokens=64).identity
        assert other.revision == "8199be6f699a395f+cls+64tokens"
        assert other != embedder.identity

    def test_no_path_is_in_it(self, minilm: Path, embedder: OnnxEmbedder) -> None:
        assert str(minilm.parent) not in repr(embedder.identity)

    def test_dimensions_that_are_set_are_checked(self, minilm: Path) -> None:
        with pytest.raises(EmbeddingError, match="has 384 dimensions, not 768"):
            _open(minilm, dimensions=768).embed_query("a")


class TestDescription:
    def test_it_decides_how_the_model_is_used(self, folder: Folder) -> None:
        text = (
            'name = "ours"\npooling = "cls"\nnormalize = false\nmax_tokens = 32\n'
            'query_prefix = "query: "\ndocument_prefix = "passage: "\n'
        )
        described = _open(folder(**{"groundkit-embedder.toml": text}))
        identity = described.identity
        assert identity.model == "ours"
        assert identity.revision.endswith("+cls+32tokens")
        assert (identity.query_prefix, identity.document_prefix) == ("query: ", "passage: ")
        assert not identity.normalized
        vector = described.embed_query("a")
        assert abs(float(np.linalg.norm(vector)) - 1) > 0.1
        assert not np.allclose(vector, described.embed_documents(["a"])[0], atol=0.01)

    def test_settings_come_before_it(self, folder: Folder) -> None:
        made = folder(**{"groundkit-embedder.toml": 'pooling = "cls"\nquery_prefix = "q"\n'})
        identity = _open(made, pooling="mean", query_prefix="").identity
        assert (identity.revision, identity.query_prefix) == ("8199be6f699a395f", "")

    def test_files_of_sentence_transformers_come_after_it(self, folder: Folder) -> None:
        made = folder(
            **{
                "1_Pooling__config.json": '{"pooling_mode_cls_token": true}',
                "sentence_bert_config.json": '{"max_seq_length": 128}',
                "groundkit-embedder.toml": "max_tokens = 64",
            }
        )
        assert _open(made).identity.revision == "8199be6f699a395f+cls+64tokens"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('pooling = "max"', "pooling"),
            ("max_tokens = 0", "max_tokens"),
            ('max_tokens = "256"', "max_tokens"),
            ("normalise = true", "normalise"),
            ("pooling = ", "not TOML"),
            ("x" * 70_000, "larger than"),
        ],
    )
    def test_mistakes_in_it_are_errors_that_name_them(
        self, folder: Folder, text: str, message: str
    ) -> None:
        with pytest.raises(SettingsError, match=message) as refused:
            _open(folder(**{"groundkit-embedder.toml": text}))
        assert len(str(refused.value).splitlines()) == 1

    def test_a_pooling_that_is_not_known_must_be_chosen(self, folder: Folder) -> None:
        made = folder(**{"1_Pooling__config.json": '{"pooling_mode_lasttoken": true}'})
        with pytest.raises(SettingsError, match="set `pooling`"):
            _open(made)


class TestFiles:
    @pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
    def test_a_missing_file_is_named(self, folder: Folder, missing: str) -> None:
        made = folder()
        (made / missing).unlink()
        with pytest.raises(SettingsError, match=f"no {missing} in the model directory"):
            _open(made)

    def test_a_directory_must_be_named(self) -> None:
        with pytest.raises(SettingsError, match="needs the directory"):
            make_embedder(EmbedderSettings("onnx"))

    @pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json"])
    def test_a_damaged_file_is_named_in_one_line(self, folder: Folder, damaged: str) -> None:
        made = folder()
        (made / damaged).unlink()
        (made / damaged).write_bytes(b"{}\n")
        with pytest.raises(EmbeddingError, match=f"{damaged} cannot be loaded") as refused:
            _open(made).embed_query("a")
        assert len(str(refused.value).splitlines()) == 1

    def test_a_closed_embedder_loads_again(self, minilm: Path) -> None:
        opened = _open(minilm)
        first = opened.embed_query("a")
        opened.close()
        assert np.array_equal(opened.embed_query("a"), first)


class TestTokenVectors:
    def test_there_is_one_for_each_token_that_is_not_special(self, embedder: OnnxEmbedder) -> None:
        found = embedder.token_vectors(["reset the password", "", "tokenization", "word " * 400])
        assert [tokens.shape for tokens in found] == [(3, 384), (0, 384), (2, 384), (254, 384)]
        for tokens in found:
            assert np.allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-5)

    def test_company_does_not_change_them(self, embedder: OnnxEmbedder) -> None:
        together = embedder.token_vectors(["reset the password", "a much longer passage " * 9])
        alone = embedder.token_vectors(["reset the password"])
        assert np.abs(together[0] - alone[0]).max() < _ROUNDING
