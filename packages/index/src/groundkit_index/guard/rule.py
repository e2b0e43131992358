"""What one rule of the secrets scan is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One shape of secret, or of private path.

    Attributes:
        rule_id: stable and kebab-case; what `--allow-secrets` takes.
        summary: what it finds, in a few words.
        literals: strings of which a text must hold at least one for the pattern to match.
        pattern: the shape; every repetition in it is bounded, or cannot be entered twice.
        confirm: whether a match is the thing itself and no placeholder.
    """

    rule_id: str
    summary: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]
    confirm: Callable[[re.Match[str]], bool]
