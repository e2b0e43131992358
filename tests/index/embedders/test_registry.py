from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from groundkit_core.errors import SettingsError
from groundkit_index.embedders import PROVIDERS, EmbedderSettings, make_embedder


def test_providers_are_named_in_order() -> None:
    assert PROVIDERS == ("fastembed", "hash", "ollama", "onnx", "openai")


@pytest.mark.parametrize("provider", ["", "HASH", "word2vec"])
def test_an_unknown_provider_is_an_error_that_names_the_known_ones(provider: str) -> None:
    with pytest.raises(SettingsError, match="known: fastembed, hash, ollama, onnx, openai"):
        make_embedder(EmbedderSettings(provider))


@pytest.mark.parametrize(
    "wrong",
    [
        {"dimensions": 0},
        {"batch_items": -1},
        {"max_tokens": 0},
        {"timeout": 0.0},
        {"timeout": float("nan")},
        {"timeout": float("inf")},
        {"pooling": "max"},
    ],
)
def test_a_setting_out_of_range_is_an_error_that_names_it(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        EmbedderSettings("hash", **wrong)  # type: ignore[arg-type]


_WITHOUT = """
import sys
sys.modules[sys.argv[3]] = None  # as if it were not installed
from groundkit_core.errors import EmbeddingError
from groundkit_index.embedders import EmbedderSettings, make_embedder
try:
    make_embedder(EmbedderSettings(sys.argv[1], model=sys.argv[2], endpoint="http://127.0.0.1:9"))
except EmbeddingError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("provider", "missing", "extra"),
    [
        ("onnx", "onnxruntime", "local"),
        ("onnx", "tokenizers", "local"),
        ("fastembed", "fastembed", "local"),
        ("hash", "numpy", "dense"),
        ("ollama", "httpx", "remote"),
        ("openai", "httpx", "remote"),
    ],
)
def test_a_missing_extra_is_one_line_that_says_how_to_install_it(
    provider: str, missing: str, extra: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", _WITHOUT, provider, str(tmp_path), missing]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = f"{missing} is not installed; run `pip install 'groundkit-index[{extra}]'`\n"
    assert done.stdout == expected


def test_heavy_modules_are_imported_only_when_an_embedder_is_used() -> None:
    program = (
        "import sys; from groundkit_index.embedders import *; "
        "make_embedder(EmbedderSettings('hash')); make_embedder(EmbedderSettings('ollama')); "
        "print([m for m in ('numpy', 'httpx', 'onnxruntime', 'tokenizers', 'fastembed', 'lancedb')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
