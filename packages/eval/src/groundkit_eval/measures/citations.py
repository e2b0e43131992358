"""What became of the citations of the hits that were returned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundkit_core.contracts import Verdict
from groundkit_eval.runs import RankedChunk

VERDICTS: tuple[Verdict, ...] = ("verified", "relocated", "drifted", "missing", "refused")


@dataclass(frozen=True, slots=True)
class CitationShares:
    """How many hits told a verdict on their citation, and the share of each verdict in these."""

    hits: int
    shares: dict[Verdict, float]


def citation_shares(answers: Iterable[Sequence[RankedChunk]]) -> CitationShares | None:
    """Return the share of every verdict; None when no hit told one."""
    found = Counter(
        chunk.verification for chunks in answers for chunk in chunks if chunk.verification
    )
    total = found.total()
    if not total:
        return None
    return CitationShares(
        total, {verdict: round(found[verdict] / total, 6) for verdict in VERDICTS}
    )
