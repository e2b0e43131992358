"""A matrix of settings: every combination is indexed and searched, and is a stage of its own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from groundkit_core.contracts import FusionMethod, Mode
from groundkit_core.errors import SettingsError
from groundkit_core.model import ChunkSettings
from groundkit_eval.setup import Setup
from groundkit_eval.systems import Settings
from groundkit_eval.targets.folder import IndexChoice

if TYPE_CHECKING:
    from groundkit_retrieval.tuning import RankingChoice

MAX_COMBINATIONS = 24
_INTEGERS = ("chunk_target", "chunk_cap", "chunk_overlap")
_CHOICES = {
    "mode": ("lexical", "dense", "hybrid"),
    "fusion": ("weighted", "rrf"),
    "rerank": ("yes", "no"),
}
KEYS = (*_INTEGERS, "language", "embedder", "mode", "fusion", "alpha", "rerank")
_INDEXED = frozenset({*_INTEGERS, "language", "embedder"})


@dataclass(frozen=True, slots=True)
class Combination:
    """One way of indexing and searching.

    Attributes:
        settings: what sets it apart, in the order of the matrix.
        index: how the folder is indexed.
        setup: how the collection is embedded, ranked and looked at again.
        mode: how it is searched; None takes hybrid where there are vectors, else lexical.
        rerank: whether the best passages are looked at again.
    """

    settings: Settings
    index: IndexChoice
    setup: Setup
    mode: Mode | None
    rerank: bool

    @property
    def name(self) -> str:
        """The name of its stage."""
        return " ".join(f"{key}={value}" for key, value in self.settings.items())

    @property
    def stage(self) -> str:
        """The registered stage that searches so."""
        mode = self.mode or ("hybrid" if self.setup.embedder else "lexical")
        return f"{mode}+rerank" if self.rerank else mode


def combinations(matrix: Sequence[str], index: IndexChoice, setup: Setup) -> list[Combination]:
    """Return every combination of a matrix; those that share an index stand together.

    Args:
        matrix: `key=value,value` each.
        index: how the folder is indexed where the matrix says nothing.
        setup: how it is searched where the matrix says nothing.

    Raises:
        SettingsError: a key or a value is unknown, or there are too many combinations.
    """
    axes = dict(map(_axis, matrix))
    if len(axes) < len(matrix):
        raise SettingsError("a key stands twice in --matrix; give its values together")
    # What is indexed varies slowest, so that each index is made once.
    order = sorted(axes, key=lambda key: key not in _INDEXED)
    found = [
        dict(zip(order, values, strict=True))
        for values in itertools.product(*(axes[key] for key in order))
    ]
    if len(found) > MAX_COMBINATIONS:
        raise SettingsError(
            f"--matrix has {len(found)} combinations, and at most {MAX_COMBINATIONS} are run"
        )
    return [_combination(values, index, setup) for values in found]


def _axis(text: str) -> tuple[str, list[str]]:
    key, equals, values = text.partition("=")
    split = list(dict.fromkeys(value.strip() for value in values.split(",") if value.strip()))
    if key.strip() not in KEYS:
        raise SettingsError(f"--matrix {text!r}: unknown key; known are {', '.join(KEYS)}")
    if not equals or not split:
        raise SettingsError(f"--matrix {text!r}: write key=value,value")
    return key.strip(), split


def _combination(values: dict[str, str], index: IndexChoice, setup: Setup) -> Combination:
    told: Settings = {key: _value(key, value) for key, value in values.items()}
    chunking = index.chunking
    if "chunk_target" in told or "chunk_cap" in told or "chunk_overlap" in told:
        target = int(told.get("chunk_target", chunking.target))
        cap = int(told.get("chunk_cap", max(chunking.cap, 2 * target)))
        chunking = ChunkSettings(target, cap, int(told.get("chunk_overlap", chunking.overlap)))
    chosen = _setup(values, told, setup)
    rerank = values.get("rerank", "yes" if setup.reranker else "no") == "yes"
    mode = cast("Mode | None", values.get("mode"))
    if mode in ("dense", "hybrid") and chosen.embedder is None:
        raise SettingsError(f"mode={mode} needs an embedder; add --embedder PROVIDER")
    if rerank and (setup.reranker is None or mode == "dense"):
        raise SettingsError("rerank=yes needs --reranker NAME, and a mode that is not dense")
    return Combination(
        told,
        IndexChoice(values.get("language", index.language), chunking),
        chosen,
        mode,
        rerank,
    )


def _value(key: str, value: str) -> str | int | float:
    if key in _CHOICES and value not in _CHOICES[key]:
        raise SettingsError(f"{key}={value}: known are {', '.join(_CHOICES[key])}")
    try:
        if key in _INTEGERS:
            return int(value)
        return float(value) if key == "alpha" else value
    except ValueError:
        raise SettingsError(f"{key}={value} is not a number") from None


def _setup(values: dict[str, str], told: Settings, setup: Setup) -> Setup:
    from groundkit_index.embedders import EmbedderSettings

    chosen = setup
    if "embedder" in values:
        provider, _, model = values["embedder"].partition(":")
        none = provider == "none"
        chosen = replace(
            chosen,
            embedder=None if none else EmbedderSettings(provider, model=model),
            ranking=None if none else chosen.ranking,
        )
    if ("fusion" in values or "alpha" in values) and chosen.embedder is not None:
        chosen = replace(chosen, ranking=_ranking(values, told, chosen))
    return chosen


def _ranking(values: dict[str, str], told: Settings, setup: Setup) -> RankingChoice:
    from groundkit_retrieval.tuning import RankingChoice

    before = setup.ranking or RankingChoice()
    fusion = cast("FusionMethod | None", values.get("fusion", before.fusion))
    alpha = float(told["alpha"]) if "alpha" in told else before.alpha
    return RankingChoice(fusion, None if fusion == "rrf" else alpha)
