"""Exports of other forms than MiniLM's: tiny models, written as ONNX by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from groundkit_core.errors import EmbeddingError
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedders.onnx import OnnxEmbedder

_FLOAT, _INT64 = 1, 7
_WORDS = ["[UNK]", "one", "two", "three", "zero", "nan"]
_TABLE = np.array(
    [[1, 0], [1, 0], [0, 1], [-1, 0], [0, 0], [np.nan, 1]],
    dtype=np.float32,
)

Export = Callable[..., OnnxEmbedder]


@pytest.fixture
def export(tmp_path: Path) -> Export:
    """Makes an embedder over a model that looks up a vector for each word."""

    def make(inputs: Sequence[str], output: str, pools: bool = False) -> OnnxEmbedder:
        (tmp_path / "model.onnx").write_bytes(_model(inputs, output, pools))
        _write_tokenizer(tmp_path / "tokenizer.json")
        return OnnxEmbedder(EmbedderSettings("onnx", model=str(tmp_path)))

    return make


@pytest.mark.parametrize(
    "inputs",
    [
        ["input_ids"],
        ["input_ids", "attention_mask"],
        ["attention_mask", "token_type_ids", "input_ids"],
    ],
)
@pytest.mark.parametrize("output", ["last_hidden_state", "token_embeddings", "other"])
def test_a_model_gets_the_inputs_that_it_declares(
    export: Export, inputs: list[str], output: str
) -> None:
    vectors = export(inputs, output).embed_documents(["one", "one two", "two two two one"])
    expected: list[list[float]] = [[1, 0], [2**-0.5, 2**-0.5], [10**-0.5, 3 * 10**-0.5]]
    assert np.allclose(vectors, expected)


def test_a_model_that_pools_by_itself_is_left_alone(export: Export) -> None:
    embedder = export(["input_ids"], "sentence_embedding", pools=True)
    assert embedder.identity.dimensions == 2
    assert np.allclose(embedder.embed_query("one two"), [2**-0.5, 2**-0.5])
    with pytest.raises(EmbeddingError, match="none for its tokens"):
        embedder.token_vectors(["one"])


def test_an_input_that_is_not_known_is_named(export: Export) -> None:
    with pytest.raises(EmbeddingError, match="inputs that are not known: pixel_values"):
        export(["input_ids", "pixel_values"], "last_hidden_state").embed_query("one")


def test_vectors_that_are_none_are_refused(export: Export) -> None:
    embedder = export(["input_ids"], "last_hidden_state")
    with pytest.raises(EmbeddingError, match="not finite"):
        embedder.embed_documents(["one", "two nan"])
    with pytest.raises(EmbeddingError, match="zeros"):
        embedder.embed_documents(["one three", "two"])
    with pytest.raises(EmbeddingError, match="not finite"):
        embedder.token_vectors(["nan"])


def test_a_model_that_fails_is_one_line(export: Export) -> None:
    embedder = export(["input_ids"], "last_hidden_state")
    embedder.embed_query("one")
    outside = "outside"  # a word whose number is beyond the table
    with pytest.raises(EmbeddingError, match="the model failed") as refused:
        embedder.embed_query(outside)
    assert len(str(refused.value).splitlines()) == 1


def _write_tokenizer(path: Path) -> None:
    import tokenizers
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    vocabulary = {word: number for number, word in enumerate(_WORDS)} | {"outside": 99}
    tokenizer = tokenizers.Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(path))


def _model(inputs: Sequence[str], output: str, pools: bool) -> bytes:
    """Return an ONNX model (onnx.proto3, opset 17) that gathers rows of the table."""
    found = "found" if pools else output
    nodes = [_node("Gather", ["table", "input_ids"], found)]
    if pools:
        # ReduceMean over the tokens: axes = [1], keepdims = 0.
        axes = _field(1, b"axes") + _field(8, 1) + _field(20, 7)
        keep = _field(1, b"keepdims") + _field(3, 0) + _field(20, 2)
        nodes.append(_node("ReduceMean", [found], output, axes, keep))
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, b"tiny")
    graph += _field(5, _tensor("table", _TABLE))
    graph += b"".join(_field(11, _value(name, _INT64, ["rows", "tokens"])) for name in inputs)
    shape: list[str | int] = ["rows", 2] if pools else ["rows", "tokens", 2]
    graph += _field(12, _value(output, _FLOAT, shape))
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 17))


def _node(kind: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    names = b"".join(_field(1, name.encode()) for name in inputs)
    rest = b"".join(_field(5, attribute) for attribute in attributes)
    return names + _field(2, output.encode()) + _field(4, kind.encode()) + rest


def _tensor(name: str, values: NDArray[np.float32]) -> bytes:
    sizes = b"".join(_field(1, size) for size in values.shape)
    return sizes + _field(2, _FLOAT) + _field(8, name.encode()) + _field(9, values.tobytes())


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    sizes = b"".join(
        _field(1, _field(1, size) if isinstance(size, int) else _field(2, size.encode()))
        for size in shape
    )
    tensor = _field(1, kind) + _field(2, sizes)
    return _field(1, name.encode()) + _field(2, _field(1, tensor))


def _field(number: int, value: int | bytes) -> bytes:
    """Encode a field of a protocol buffer: a varint, or bytes with their length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])
