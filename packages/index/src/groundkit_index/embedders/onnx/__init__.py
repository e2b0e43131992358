"""`onnx`: an exported sentence encoder, run in this process."""

from __future__ import annotations

from groundkit_index.embedders.onnx.embedder import OnnxEmbedder

__all__ = ["OnnxEmbedder"]
