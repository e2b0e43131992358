"""The directory of an exported model and what it says about itself."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundkit_core.errors import SettingsError
from groundkit_index.embedders.settings import EmbedderSettings, Pooling

DESCRIPTION_FILE = "groundkit-embedder.toml"
DEFAULT_POOLING: Pooling = "mean"
DEFAULT_MAX_TOKENS = 256

_T = TypeVar("_T")

_LARGEST_DESCRIPTION = 64 * 1024


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """An exported model.

    Attributes:
        name: what the model is called.
        model: path of `model.onnx`.
        tokenizer: path of `tokenizer.json`.
        pooling: how token vectors become one.
        normalize: scale vectors to unit length.
        query_prefix: put before a query.
        document_prefix: put before a passage.
        max_tokens: tokens of a text that are read, special ones included.
    """

    name: str
    model: Path
    tokenizer: Path
    pooling: Pooling
    normalize: bool
    query_prefix: str
    document_prefix: str
    max_tokens: int


class _Description(BaseModel):
    """`groundkit-embedder.toml`; every key is optional."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str | None = None
    pooling: Pooling | None = None
    normalize: bool | None = None
    query_prefix: str | None = None
    document_prefix: str | None = None
    max_tokens: int | None = Field(default=None, ge=1)


def read_folder(settings: EmbedderSettings) -> ModelFolder:
    """Find a model's files and decide how it is used.

    What is set comes first, then `groundkit-embedder.toml`, then the files that
    sentence-transformers writes, then the defaults.

    Raises:
        SettingsError: no such directory, a file is missing, or the description is wrong.
    """
    if not settings.model:
        raise SettingsError("the onnx embedder needs the directory of a model as its model")
    folder = Path(settings.model).expanduser()
    said = _description(folder / DESCRIPTION_FILE)
    exported = _exported(folder)
    return ModelFolder(
        name=said.name or folder.resolve().name,
        model=_first_file(folder, "model.onnx", "onnx/model.onnx"),
        tokenizer=_first_file(folder, "tokenizer.json"),
        pooling=_first(settings.pooling, said.pooling, exported.pooling, DEFAULT_POOLING),
        normalize=_first(settings.normalize, said.normalize, True),
        query_prefix=_first(settings.query_prefix, said.query_prefix, ""),
        document_prefix=_first(settings.document_prefix, said.document_prefix, ""),
        max_tokens=_first(
            settings.max_tokens, said.max_tokens, exported.max_tokens, DEFAULT_MAX_TOKENS
        ),
    )


def _description(path: Path) -> _Description:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_DESCRIPTION + 1)
    except OSError:
        return _Description()
    if len(data) > _LARGEST_DESCRIPTION:
        raise SettingsError(f"{DESCRIPTION_FILE} is larger than {_LARGEST_DESCRIPTION} bytes")
    try:
        return _Description.model_validate(tomllib.loads(data.decode("utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"{DESCRIPTION_FILE}: {where}: {first['msg']}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{DESCRIPTION_FILE} is not TOML: {error}") from error


def _exported(folder: Path) -> _Description:
    """Read what sentence-transformers wrote beside the weights, as far as it can be read."""
    modes = _json(folder / "1_Pooling" / "config.json")
    limit = _json(folder / "sentence_bert_config.json").get("max_seq_length")
    pooling: Pooling | None = None
    if modes.get("pooling_mode_cls_token") is True:
        pooling = "cls"
    elif modes.get("pooling_mode_mean_tokens") is True:
        pooling = "mean"
    elif modes:
        raise SettingsError(
            f"the model's pooling is neither mean nor cls; set `pooling` in {DESCRIPTION_FILE}"
        )
    usable = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 1
    return _Description(pooling=pooling, max_tokens=limit if usable else None)


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _first_file(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise SettingsError(f"no {names[0]} in the model directory {str(folder)!r}")


def _first(*values: _T | None) -> _T:
    return next(value for value in values if value is not None)
