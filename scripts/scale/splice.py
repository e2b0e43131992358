"""New documents from the pieces of real ones, without end and always the same."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scripts.scale.dialect import Dialect, rare_words
from scripts.scale.seeds import Seed

SEED = 20260401
_GROUP = (3, 8)
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_CHARS = 40


@dataclass(frozen=True, slots=True)
class Spliced:
    """A new document."""

    name: str
    text: str


def documents(seeds: Sequence[Seed], seed: int = SEED) -> Iterator[Spliced]:
    """Yield documents for as long as they are taken.

    Neighbouring real documents, which treat related things, pool their pieces, and as many new
    documents of the same numbers of pieces are made of the pool. Once all pieces are used they are
    used again, in other pools and with other rare words.
    """
    numbers = itertools.count()
    rare: frozenset[str] | None = None
    for turn in itertools.count():
        rng = random.Random(f"{seed}/{turn}")  # noqa: S311 - reproducible, not a secret
        if turn and rare is None:
            rare = rare_words(seeds)
        dialect = Dialect(rare, f"{seed}/{turn}") if rare is not None else None
        for pool in _pools(seeds, rng):
            for title, text in _spliced(pool, rng):
                if dialect:
                    title, text = dialect.respell(title), dialect.respell(text)
                yield Spliced(f"{_slug(title)}-{next(numbers)}.md", text)


def _pools(seeds: Sequence[Seed], rng: random.Random) -> list[Sequence[Seed]]:
    pools = []
    start = 0
    while start < len(seeds):
        end = start + rng.randint(*_GROUP)
        pools.append(seeds[start:end])
        start = end
    rng.shuffle(pools)
    return pools


def _spliced(pool: Sequence[Seed], rng: random.Random) -> Iterator[tuple[str, str]]:
    pieces = [piece for seed in pool for piece in seed.pieces]
    rng.shuffle(pieces)
    start = 0
    for seed in rng.sample(pool, len(pool)):
        end = start + len(seed.pieces)
        yield seed.title, "\n\n".join([f"# {seed.title}", *pieces[start:end], ""])
        start = end


def _slug(title: str) -> str:
    return _NOT_SLUG.sub("-", title.lower()).strip("-")[:_SLUG_CHARS].strip("-") or "page"
