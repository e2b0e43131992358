"""The providers of vectors, by name."""

from __future__ import annotations

from collections.abc import Callable

from groundkit_core.errors import SettingsError
from groundkit_core.protocols import Embedder, Notice
from groundkit_index.embedders.settings import EmbedderSettings

_Maker = Callable[[EmbedderSettings, Notice], Embedder]


def make_embedder(settings: EmbedderSettings, notice: Notice | None = None) -> Embedder:
    """Return the embedder that the settings name; models load and servers are asked at first use.

    Args:
        settings: the provider and its options.
        notice: told, in one line each, what a person should know, such as a download.

    Raises:
        SettingsError: the provider is unknown or a setting is wrong.
        EmbeddingError: the provider needs an extra that is not installed.
    """
    maker = _MAKERS.get(settings.provider)
    if maker is None:
        known = ", ".join(PROVIDERS)
        raise SettingsError(f"no embedding provider {settings.provider!r}; known: {known}")
    return maker(settings, notice or _silent)


def _fastembed(settings: EmbedderSettings, notice: Notice) -> Embedder:
    from groundkit_index.embedders.fastembed import FastembedEmbedder

    return FastembedEmbedder(settings, notice)


def _hash(settings: EmbedderSettings, _: Notice) -> Embedder:
    from groundkit_index.embedders.hashing import HashEmbedder

    return HashEmbedder(settings)


def _ollama(settings: EmbedderSettings, notice: Notice) -> Embedder:
    from groundkit_index.embedders.remote import RemoteEmbedder
    from groundkit_index.embedders.remote.ollama import Ollama

    return RemoteEmbedder(settings, Ollama(settings), notice)


def _onnx(settings: EmbedderSettings, _: Notice) -> Embedder:
    from groundkit_index.embedders.onnx import OnnxEmbedder

    return OnnxEmbedder(settings)


def _openai(settings: EmbedderSettings, notice: Notice) -> Embedder:
    from groundkit_index.embedders.remote import RemoteEmbedder
    from groundkit_index.embedders.remote.openai import OpenAI

    return RemoteEmbedder(settings, OpenAI(settings), notice)


def _silent(message: str) -> None:
    del message


_MAKERS: dict[str, _Maker] = {
    "fastembed": _fastembed,
    "hash": _hash,
    "ollama": _ollama,
    "onnx": _onnx,
    "openai": _openai,
}

PROVIDERS: tuple[str, ...] = tuple(sorted(_MAKERS))
