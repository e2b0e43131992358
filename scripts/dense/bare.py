"""The bare loop that embedding is compared with: tokenizers, onnxruntime, numpy."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from scripts.dense.synthetic import Matrix
from tokenizers import Tokenizer

BATCH, MAX_TOKENS = 8, 256


class BareModel:
    """A model folder, loaded with as many threads as there are cores, which do not spin."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = len(os.sched_getaffinity(0))
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = [one.name for one in self._session.get_inputs()]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=MAX_TOKENS)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return unit vectors by mean pooling: batches of eight, all texts sorted by length."""
        encoded = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(encoded)), key=lambda row: -len(encoded[row]))
        vectors: list[Matrix] = [np.empty(0, np.float32)] * len(texts)
        for first in range(0, len(order), BATCH):
            rows = order[first : first + BATCH]
            for row, vector in zip(rows, self._run([encoded[row] for row in rows]), strict=True):
                vectors[row] = vector
        return np.stack(vectors)

    def _run(self, batch: Sequence[Sequence[int]]) -> Matrix:
        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self._session.run(None, {name: feeds[name] for name in self._inputs})[0]
        sums = np.einsum("btd,bt->bd", output, mask.astype(np.float32))
        return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), dtype=np.float32)
