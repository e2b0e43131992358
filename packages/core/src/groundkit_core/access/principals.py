"""Who asks, and which profile that is mapped to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

Claim = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks, as the deployment verified it; never what a caller says of itself.

    Attributes:
        subject: the token's subject; empty for nobody in particular.
        claims: name -> a text, or several for a claim such as `groups`. Not shown by `repr`,
            because claims may hold personal data.
    """

    subject: str
    claims: Mapping[str, Claim] = field(default_factory=dict, hash=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", MappingProxyType(dict(self.claims)))

    @classmethod
    def of(cls, subject: str, claims: Mapping[str, object]) -> Self:
        """Return the principal of a decoded token.

        Texts and the texts of a list are kept; any other claim can match nothing and is dropped.
        """
        kept: dict[str, Claim] = {}
        for name, value in claims.items():
            if isinstance(value, str):
                kept[name] = value
            elif isinstance(value, (list, tuple)):
                kept[name] = tuple(item for item in value if isinstance(item, str))
        return cls(subject, kept)

    def holds(self, claim: str, value: str) -> bool:
        """Return whether a claim is the value, or is a list that contains it."""
        held = self.claims.get(claim)
        return held == value if isinstance(held, str) else held is not None and value in held


ANONYMOUS = Principal("")
"""Nobody in particular; no identity matches it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Maps principals to a profile when every condition holds; without any, none matches.

    Attributes:
        profile: name of the profile.
        subject: the subject that it takes; None takes any.
        claims: pairs of a claim and the value that it must be or contain.
    """

    profile: str
    subject: str | None = None
    claims: tuple[tuple[str, str], ...] = ()

    def matches(self, principal: Principal) -> bool:
        """Return whether the principal meets every condition."""
        if self.subject is None and not self.claims:
            return False
        if self.subject is not None and (not self.subject or self.subject != principal.subject):
            return False
        return all(principal.holds(claim, value) for claim, value in self.claims)

    @property
    def conditions(self) -> str:
        """The conditions in words, by name and without their values."""
        named = [f"the claim {claim}" for claim, _ in self.claims]
        return " and ".join([*(["the subject"] if self.subject is not None else []), *named])
