"""Which measures are computed, by their names in the field's notation, such as `nDCG@10`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from groundkit_core.errors import SettingsError

if TYPE_CHECKING:
    from ir_measures import Measure

SpanKind = Literal["TokenR", "TokenP", "IoU"]
FAMILIES = ("nDCG", "AP", "RR", "R", "P", "Success")
SPAN_KINDS: tuple[SpanKind, ...] = ("TokenR", "TokenP", "IoU")
MAX_MEASURES = 40
_DEFAULT = (("R@1", "recall@1"), ("R@5", "recall@5"), ("R@10", "recall@10"))
_RANKED = (("RR@10", "mrr@10"), ("nDCG@10", "ndcg@10"))
_KEYS = dict((*_DEFAULT, *_RANKED))
_SPAN = re.compile(r"(TokenR|TokenP|IoU)@([1-9][0-9]{0,3})", re.IGNORECASE)
_APART = re.compile(r",(?![^()]*\))")


@dataclass(frozen=True, slots=True)
class RankMeasure:
    """A measure that ir-measures computes.

    Attributes:
        key: its name in results.
        name: its name in the notation of ir-measures.
        cutoff: how many places it looks at; None for all.
    """

    key: str
    name: str
    cutoff: int | None

    def computed(self, deepest: int | None) -> Measure:
        """Return the measure that is computed on a run.

        Args:
            deepest: places in a run that was cut to the chunks of the cutoff; recall counts them
                all, and they may be more than the chunks are. None for a run that is whole.
        """
        import ir_measures

        if deepest is not None and self.name.startswith("R@"):
            return ir_measures.R @ deepest
        return ir_measures.parse_measure(self.name)


@dataclass(frozen=True, slots=True)
class SpanMeasure:
    """A measure of the characters or words that were retrieved; see `measures.spans`."""

    kind: SpanKind
    cutoff: int

    @property
    def key(self) -> str:
        """Its name in results."""
        return f"{self.kind}@{self.cutoff}"


@dataclass(frozen=True, slots=True)
class Selection:
    """The measures to compute, in the order they are reported."""

    ranked: tuple[RankMeasure, ...]
    spans: tuple[SpanMeasure, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Their names in results."""
        return (
            *(measure.key for measure in self.ranked),
            *(measure.key for measure in self.spans),
        )

    @property
    def deepest(self) -> tuple[int, str]:
        """The largest cutoff, and the measure that has it."""
        ranked = [(measure.cutoff or 0, measure.key) for measure in self.ranked]
        return max(ranked + [(measure.cutoff, measure.key) for measure in self.spans])


def default_measures() -> tuple[RankMeasure, ...]:
    """Return the measures that every result holds."""
    return tuple(
        RankMeasure(key, name, int(name.partition("@")[2])) for name, key in (*_DEFAULT, *_RANKED)
    )


def select(text: str = "") -> Selection:
    """Return the measures that every result holds, and those that a person names beside them.

    Args:
        text: names with commas between, such as `nDCG@20,AP,P@5,IoU@5`.

    Raises:
        SettingsError: a name is none of a measure, or there are too many.
    """
    names = [name.strip() for name in _APART.split(text) if name.strip()]
    if len(names) > MAX_MEASURES:
        raise SettingsError(f"more than {MAX_MEASURES} measures; name fewer")
    ranked = {measure.key: measure for measure in default_measures()}
    spans: dict[str, SpanMeasure] = {}
    for name in names:
        found = _span(name) or _ranked(name)
        if isinstance(found, SpanMeasure):
            spans[found.key] = found
        else:
            ranked.setdefault(found.key, found)
    return Selection(tuple(ranked.values()), tuple(spans.values()))


def _span(name: str) -> SpanMeasure | None:
    found = _SPAN.fullmatch(name)
    if not found:
        return None
    kind = next(kind for kind in SPAN_KINDS if kind.lower() == found[1].lower())
    return SpanMeasure(kind, int(found[2]))


def _ranked(name: str) -> RankMeasure:
    import ir_measures

    try:
        measure = ir_measures.parse_measure(_canonical(name))
        known = measure.NAME in FAMILIES and _computable(measure)
    except (NameError, ValueError, TypeError, SyntaxError, AttributeError, AssertionError):
        known = False
    if not known:
        raise _unknown(name, [*FAMILIES, *SPAN_KINDS])
    cutoff = measure.params.get("cutoff")
    if cutoff is not None and not 1 <= cutoff <= 10_000:
        raise SettingsError(f"the cutoff of {name!r} must be between 1 and 10000")
    return RankMeasure(_KEYS.get(str(measure), str(measure)), str(measure), cutoff)


def _computable(measure: Measure) -> bool:
    from ir_measures import DefaultPipeline

    return bool(DefaultPipeline.supports(measure))  # type: ignore[no-untyped-call]


def _canonical(name: str) -> str:
    """Return the name with its family as ir-measures writes it, in whatever case it came."""
    family = re.match(r"[A-Za-z]+", name)
    spelled = {known.lower(): known for known in FAMILIES} | {"recall": "R", "mrr": "RR"}
    if not family:
        return name
    return spelled.get(family[0].lower(), family[0]) + name[family.end() :]


def _unknown(name: str, known: Sequence[str]) -> SettingsError:
    return SettingsError(
        f"{name!r} is no measure that is computed here; known are {', '.join(known)}, "
        "with a cutoff as in nDCG@10"
    )
