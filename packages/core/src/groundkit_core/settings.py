"""Settings: `groundkit.toml`, then `GROUNDKIT_*` variables, then flags; later ones win."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from groundkit_core.contracts.search import FusionMethod, Name
from groundkit_core.errors import SettingsError
from groundkit_core.model import ChunkSettings

CONFIG_FILE = "groundkit.toml"
_TRUSTED = frozenset({"policy", "profile"})


def _no_nul(value: Path) -> Path:
    if "\0" in str(value) or not str(value).strip():
        raise ValueError("not a usable path")
    return value


class _BesideFile(TomlConfigSettingsSource):
    """Reads `groundkit.toml`, which may come with a repository and is trusted with nothing.

    It may not place the index outside its own folder.
    """

    def __call__(self) -> dict[str, object]:
        values = dict(super().__call__())
        for name in _TRUSTED.intersection(values):
            raise SettingsError(
                f"{CONFIG_FILE}: {name} cannot be set there, because the file may come with a "
                f"repository; use GROUNDKIT_{name.upper()}"
            )
        place = values.get("index_dir")
        if isinstance(place, str):
            path = Path(place)
            if path.is_absolute() or ".." in path.parts or place.startswith("~"):
                raise SettingsError(
                    f"{CONFIG_FILE}: index_dir must lie below the file's folder; "
                    "use --index-dir or GROUNDKIT_INDEX_DIR for another place"
                )
        return values


class Settings(BaseSettings):
    """What a person can set.

    Attributes:
        index_dir: the folder that holds the collections.
        collection: the collection that commands use.
        language: Snowball language of new collections, such as `english`; `none` stems nothing.
        chunk_target: code points that blocks are gathered up to, in new collections [1000].
        chunk_cap: code points that no chunk exceeds, in new collections [2000].
        chunk_overlap: code points a chunk reaches back, in new collections [0].
        max_file_bytes: larger files are refused.
        detect_encoding: guess the encoding of files that are neither UTF-8 nor UTF-16.
        result_chars: characters of passages that one response holds at the most.
        lock_wait_seconds: how long a writer waits for another one.
        fusion: how the branches of a hybrid search are joined [the collection's, or weighted].
        alpha: weight of the dense branch in `weighted` [the collection's, or 0.5].
        reranker: `maxsim`, `fastembed` or `sentence-transformers`; empty reranks nothing.
        reranker_model: its model; for `maxsim` a folder [the collection's embedder].
        policy: the access policy of a service; never from the file beside.
        profile: the profile that a service on stdio is bound to; never from the file beside.
    """

    model_config = SettingsConfigDict(env_prefix="GROUNDKIT_", extra="forbid", frozen=True)

    index_dir: Annotated[Path, AfterValidator(_no_nul)] = Path(".groundkit")
    collection: Name = "default"
    language: str | None = None
    chunk_target: int | None = Field(default=None, ge=50, le=100_000)
    chunk_cap: int | None = Field(default=None, ge=50, le=100_000)
    chunk_overlap: int | None = Field(default=None, ge=0, le=10_000)
    max_file_bytes: int = Field(default=16 * 2**20, ge=1, le=2**31)
    detect_encoding: bool = True
    result_chars: int = Field(default=24_000, ge=2_000, le=1_000_000)
    lock_wait_seconds: float = Field(default=60.0, ge=0, le=86_400)
    fusion: FusionMethod | None = None
    alpha: float | None = Field(default=None, ge=0, le=1)
    reranker: str = ""
    reranker_model: str = ""
    policy: Annotated[Path, AfterValidator(_no_nul)] | None = None
    profile: str | None = None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order the sources: flags, then environment, then the file beside."""
        return init_settings, env_settings, _BesideFile(settings_cls, Path(CONFIG_FILE))

    @property
    def chunking(self) -> ChunkSettings | None:
        """The chunk sizes that were set, with defaults for the rest; None when none was."""
        given = (self.chunk_target, self.chunk_cap, self.chunk_overlap)
        if given == (None, None, None):
            return None
        default = ChunkSettings()
        return ChunkSettings(
            default.target if self.chunk_target is None else self.chunk_target,
            default.cap if self.chunk_cap is None else self.chunk_cap,
            default.overlap if self.chunk_overlap is None else self.chunk_overlap,
        )


def load_settings(**flags: object) -> Settings:
    """Return the settings in force in the working directory.

    Args:
        flags: values that win over the file and the environment; None counts as not given.

    Raises:
        SettingsError: a value is wrong; the message names it and where it may come from.
    """
    given = {key: value for key, value in flags.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        raise SettingsError(
            f"setting {name}: {first['msg']}; "
            f"check flags, GROUNDKIT_{name.upper()} and {CONFIG_FILE}"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{CONFIG_FILE} cannot be read: {error}") from None
