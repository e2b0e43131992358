"""The variant of a number: which document it is made from, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from scripts.fuzz.mutations import ANY, TEXT, Mutation
from scripts.fuzz.seeds import Seed
from scripts.fuzz.structured import change_json, change_xml
from scripts.fuzz.zipped import CONTAINER

_STRUCTURED: dict[str, Mutation] = {
    "html": change_xml,
    "ipynb": change_json,
    "json": change_json,
    "xml": change_xml,
}


@dataclass(frozen=True, slots=True)
class Variant:
    """A damaged document.

    Attributes:
        number: together with the run's seed it gives the same variant again.
        name: the file name, which tells the format.
        ways: the mutations in their order.
        data: the bytes.
    """

    number: int
    name: str
    ways: tuple[str, ...]
    data: bytes


def variant(run: int, number: int, documents: Sequence[Seed]) -> Variant:
    """Return a variant: the documents in turn, one to three mutations each.

    Args:
        run: the seed of the run.
        number: from 0.
        documents: what variants are made from.
    """
    random = Random(f"{run}:{number}")  # noqa: S311  the same variants every time
    document = documents[number % len(documents)]
    others = [one.data for one in documents if one is not document]
    data, ways = document.data, []
    for step in range(random.choice((1, 1, 1, 2, 3))):
        way = random.choice(_ways(document, first=step == 0))
        data = way(random, data, others)
        ways.append(way.__name__)
    return Variant(number, document.name, tuple(ways), data)


def _ways(document: Seed, *, first: bool) -> Sequence[Mutation]:
    """Return what may be done; a container must be whole to be unpacked, so only at first."""
    if document.data.startswith(b"PK"):
        return (*CONTAINER, *ANY) if first else ANY
    binary = document.name.endswith((".tar", ".tar.gz", "packed.pdf"))
    if binary:
        return ANY
    structured = _STRUCTURED.get(document.name.rpartition(".")[2])
    return (*ANY, *TEXT, *[structured] * len(ANY)) if structured else (*ANY, *TEXT)
