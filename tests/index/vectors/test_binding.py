from __future__ import annotations

from pathlib import Path

import pytest

from groundkit_core.errors import EmbeddingError, EmbeddingMismatchError
from groundkit_core.model import EmbeddingIdentity
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.vectors.binding import Binding, check_identity

IDENTITY = EmbeddingIdentity("openai", "m", "", 8)


def test_a_binding_survives_the_manifest_without_the_name_of_the_key() -> None:
    settings = EmbedderSettings("openai", "m", "https://example.net/v1", "SECRET_KEY", 8)
    value = Binding(IDENTITY, settings).to_manifest()
    assert "SECRET_KEY" not in str(value)
    assert Binding.from_manifest(value).identity == IDENTITY


def test_an_index_cannot_choose_where_queries_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = EmbedderSettings("openai", "m", "https://example.net/v1", "PATH", 8)
    bound = Binding(IDENTITY, settings)
    monkeypatch.delenv("GROUNDKIT_EMBEDDER_ENDPOINT", raising=False)
    with pytest.raises(EmbeddingError, match="GROUNDKIT_EMBEDDER_ENDPOINT"):
        bound.embedder()
    monkeypatch.setenv("GROUNDKIT_EMBEDDER_ENDPOINT", "https://elsewhere.example.net/v1")
    with pytest.raises(EmbeddingError):
        bound.embedder()


def test_a_model_folder_is_bound_wherever_the_next_command_runs(tmp_path: Path) -> None:
    value = Binding(IDENTITY, EmbedderSettings("onnx", "models/mini")).to_manifest()
    assert Path(value["settings"]["model"]).is_absolute()


def test_another_identity_is_refused_with_the_choice_spelled_out() -> None:
    embedder = make_embedder(EmbedderSettings("hash"))
    check_identity(embedder.identity, embedder.identity)
    with pytest.raises(EmbeddingMismatchError, match="second collection"):
        check_identity(IDENTITY, embedder.identity)
