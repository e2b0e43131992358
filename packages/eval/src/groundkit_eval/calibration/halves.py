"""Splits judged queries into those a threshold is chosen on and those it is measured on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def halves(ids: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return (calibration, held out): ids dealt out in turn, in the order of their SHA-256.

    The halves depend on the ids alone and differ by one at the most; the first is the larger.
    """
    order = sorted(ids, key=lambda name: hashlib.sha256(name.encode()).digest())
    return order[0::2], order[1::2]
