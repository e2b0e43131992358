"""Runs a model over texts, in batches of like length."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundkit_core.errors import EmbeddingError
from groundkit_index.embedders.extras import require, usable_cores
from groundkit_index.embedders.onnx.folder import ModelFolder

LOCAL = "groundkit-index[local]"

_WINDOW = 1024
# Eight short texts or four long ones: as fast as eight long ones, in 100 MB less.
_BATCH_TOKENS = 8 * 128
_KNOWN_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_TOKEN_OUTPUTS = ("last_hidden_state", "token_embeddings")
_TEXT_OUTPUTS = ("sentence_embedding",)


@dataclass(frozen=True, slots=True)
class Batch:
    """What the model made of some of the texts.

    Attributes:
        rows: positions of the texts.
        output: shape (rows, tokens, dimensions), or (rows, dimensions) where the model pools.
        mask: 1 for a token, 0 for padding; shape (rows, tokens).
        special: the same for what is neither a word nor a part of one.
    """

    rows: list[int]
    output: NDArray[np.float32]
    mask: NDArray[np.int64]
    special: list[list[int]]


class Encoder:
    """A loaded model with its tokenizer; safe to share between threads.

    Args:
        folder: the model.
        batch_items: texts in one batch.
        threads: cores that one batch uses; None takes all.

    Raises:
        EmbeddingError: the files cannot be loaded, or the model wants other inputs.
    """

    def __init__(self, folder: ModelFolder, batch_items: int, threads: int | None) -> None:
        self._batch_items = batch_items
        # Each of the three leaves the interpreter free for the others.
        with ThreadPoolExecutor(2) as pool:
            digest = pool.submit(_digest, folder.model)
            tokenizer = pool.submit(_tokenizer, folder)
            self._session = _session(folder.model, threads or usable_cores())
            self._tokenizer, self._pad = tokenizer.result()
            self.digest = digest.result()
        self._inputs = [given.name for given in self._session.get_inputs()]
        if unknown := sorted(set(self._inputs) - _KNOWN_INPUTS):
            raise EmbeddingError(f"the model wants inputs that are not known: {', '.join(unknown)}")
        self._output = _output(self._session)
        self.dimensions = self._measure()

    def run(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield every text's output once, longest first within a window of texts."""
        for start in range(0, len(texts), _WINDOW):
            encodings = self._tokenizer.encode_batch(list(texts[start : start + _WINDOW]))
            order = sorted(range(len(encodings)), key=lambda row: -len(encodings[row].ids))
            for rows in self._cut(order, encodings):
                yield self._run([encodings[row] for row in rows], [start + row for row in rows])

    def _cut(self, order: list[int], encodings: list[Any]) -> Iterator[list[int]]:
        done = 0
        while done < len(order):
            longest = max(1, len(encodings[order[done]].ids))
            items = max(1, min(self._batch_items, _BATCH_TOKENS // longest))
            yield order[done : done + items]
            done += items

    def _run(self, encodings: list[Any], rows: list[int]) -> Batch:
        width = max(1, *(len(encoding.ids) for encoding in encodings))
        ids = np.full((len(encodings), width), self._pad, dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding.ids)] = encoding.ids
            mask[row, : len(encoding.ids)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        given = {name: feeds[name] for name in self._inputs}
        try:
            output = self._session.run([self._output], given)[0]
        except Exception as error:
            raise EmbeddingError(f"the model failed: {_one_line(error)}") from error
        special = [encoding.special_tokens_mask for encoding in encodings]
        return Batch(rows, np.asarray(output, dtype=np.float32), mask, special)

    def _measure(self) -> int:
        declared = {output.name: output.shape for output in self._session.get_outputs()}
        last = declared[self._output][-1] if declared[self._output] else None
        if isinstance(last, int):
            return last
        return int(next(self.run(["dimensions"])).output.shape[-1])


def _session(path: Path, threads: int) -> Any:
    onnxruntime = require("onnxruntime", LOCAL)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Patterns are kept per shape, and every batch has another: 100 MB for nothing.
    options.enable_mem_pattern = False
    # Spinning threads burn the cores that the rest of the service needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise EmbeddingError(f"{path.name} cannot be loaded: {_one_line(error)}") from error


def _tokenizer(folder: ModelFolder) -> tuple[Any, int]:
    tokenizers = require("tokenizers", LOCAL)
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder.tokenizer))
    except Exception as error:
        raise EmbeddingError(f"tokenizer.json cannot be loaded: {_one_line(error)}") from error
    pad = (tokenizer.padding or {}).get("pad_id")
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=folder.max_tokens)
    return tokenizer, pad if pad is not None else _pad_token(tokenizer)


def _pad_token(tokenizer: Any) -> int:
    found = (tokenizer.token_to_id(token) for token in ("[PAD]", "<pad>"))
    return next((number for number in found if number is not None), 0)


def _output(session: Any) -> str:
    names = [output.name for output in session.get_outputs()]
    for name in (*_TOKEN_OUTPUTS, *_TEXT_OUTPUTS):
        if name in names:
            return name
    return str(names[0])


def _digest(path: Path) -> str:
    """Return the SHA-256 of the weights, also of those kept in files beside the graph."""
    whole = hashlib.sha256()
    for part in (path, path.with_name(path.name + "_data"), path.with_name(path.name + ".data")):
        if part.is_file():
            with part.open("rb") as file:
                while block := file.read(2**20):
                    whole.update(block)
    return whole.hexdigest()


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
