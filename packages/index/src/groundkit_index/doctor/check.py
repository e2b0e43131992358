"""The result of one check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found.

    Attributes:
        name: what was checked.
        faults: one line a fault, at most 20; empty when all is well.
        derived: whether the faults lie in what can be made again from the catalog.
    """

    name: str
    faults: tuple[str, ...] = ()
    derived: bool = False


def checked(name: str, faults: Iterable[str], *, derived: bool = False) -> Check:
    """Return a check with the first faults, and how many more there are."""
    found = list(faults)
    shown = found[:_SHOWN]
    if len(found) > _SHOWN:
        shown[-1] = f"and {len(found) - _SHOWN + 1} more"
    return Check(name, tuple(shown), derived)
