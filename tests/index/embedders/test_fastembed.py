from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from groundkit_core.errors import EmbeddingError, SettingsError
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.embedders.prefixes import prefixes

_COMMIT = "5f1b8cd78bc4fb444dd171e59b18f3a3af89a079"
_NAME = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def kept(minilm: Path, tmp_path: Path) -> Path:
    """A cache folder as it is after a download."""
    repository = tmp_path / "models--Qdrant--all-MiniLM-L6-v2-onnx"
    snapshot = repository / "snapshots" / _COMMIT
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(_COMMIT)
    for name in ("model.onnx", "tokenizer.json"):
        (snapshot / name).write_bytes((minilm / name).read_bytes())
    described = {"model_max_length": 256, "pad_token": "[PAD]"}
    (snapshot / "tokenizer_config.json").write_text(json.dumps(described))
    (snapshot / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    return tmp_path


@pytest.mark.usefixtures("offline")
def test_kept_weights_are_used_without_a_download(kept: Path, minilm: Path) -> None:
    notices: list[str] = []
    embedder = make_embedder(
        EmbedderSettings("fastembed", model=_NAME, cache_dir=kept),
        lambda message: notices.append(message),
    )
    texts = ["a longer passage about passwords " * 9, "reset the password", "", "漢字"]
    found = embedder.embed_documents(texts)
    same = make_embedder(EmbedderSettings("onnx", model=str(minilm))).embed_documents(texts)
    assert np.abs(found - same).max() < 1e-5
    assert notices == []
    identity = embedder.identity
    assert (identity.model, identity.revision, identity.dimensions) == (_NAME, _COMMIT[:16], 384)


@pytest.mark.usefixtures("offline")
def test_a_download_is_said_before_and_its_failure_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    notices: list[str] = []
    embedder = make_embedder(
        EmbedderSettings("fastembed", cache_dir=tmp_path), lambda message: notices.append(message)
    )
    with pytest.raises(EmbeddingError, match="connect to the internet once") as refused:
        embedder.embed_query("a")
    assert notices == [
        f"downloading BAAI/bge-small-en-v1.5 (about 67 MB, once) from Hugging Face to {tmp_path}"
    ]
    assert len(str(refused.value).splitlines()) == 1
    assert capfd.readouterr() == ("", "")


def test_a_model_that_fastembed_does_not_know_is_an_error() -> None:
    embedder = make_embedder(EmbedderSettings("fastembed", model="someone/else"))
    with pytest.raises(SettingsError, match="no model 'someone/else'"):
        embedder.embed_query("a")


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        (
            "BAAI/bge-small-en-v1.5",
            "Represent this sentence for searching relevant passages: ",
            "",
        ),
        ("BAAI/bge-m3", "", ""),
        ("intfloat/multilingual-e5-large", "query: ", "passage: "),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: "),
        (_NAME, "", ""),
    ],
)
def test_models_get_the_prefixes_they_were_trained_with(
    model: str, query: str, document: str
) -> None:
    assert prefixes(EmbedderSettings("fastembed"), model) == (query, document)


def test_weights_are_kept_in_the_cache_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundkit_index.embedders.caches import weights_folder

    monkeypatch.delenv("FASTEMBED_CACHE_PATH", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert weights_folder(None) == tmp_path / "groundkit" / "models"
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "other"))
    assert weights_folder(None) == tmp_path / "other"
    assert weights_folder(tmp_path / "chosen") == tmp_path / "chosen"
