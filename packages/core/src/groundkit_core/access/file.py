"""The shape of a policy file."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from groundkit_core.access.globs import glob_regex
from groundkit_core.access.principals import Identity
from groundkit_core.access.profiles import BUILT_IN, Profile
from groundkit_core.access.rules import Rule
from groundkit_core.contracts.base import Contract, SourceClass
from groundkit_core.contracts.search import Name

MAX_ENTRIES = 1000
"""Rules, identities, profiles, and entries of one list."""

MAX_PATTERNS = 5000
"""Patterns of all rules together."""


def _pattern(value: str) -> str:
    glob_regex(value)
    return value


def _version(value: int) -> int:
    if value != 1:
        raise ValueError("must be 1")
    return value


_Pattern = Annotated[str, AfterValidator(_pattern)]
_Text = Annotated[str, StringConstraints(min_length=1, max_length=500)]
_Names = Annotated[list[Name], Field(max_length=MAX_ENTRIES)]
_SomeNames = Annotated[list[Name], Field(min_length=1, max_length=MAX_ENTRIES)]


class ProfileEntry(Contract):
    """`[profiles.NAME]`; for a built-in name, what is not given stays as it is."""

    classes: list[SourceClass] | None = None
    projects: _Names | None = None
    labels: _Names | None = None
    collections: _Names | None = None
    config_by_name: bool | None = None

    def fault(self, name: str) -> str | None:
        """Return what is wrong with it under a name."""
        known = BUILT_IN.get(name)
        if self.classes is None and known is None:
            return "classes is required; [] reads nothing"
        held = (
            set(self.classes) if self.classes is not None else set(known.classes if known else ())
        )
        if self.config_by_name and "config" not in held:
            return "config_by_name needs 'config' among the classes"
        return None

    def profile(self, name: str) -> Profile:
        """Return the profile that it makes of the built-in one, or of nothing."""
        known = BUILT_IN.get(name, Profile(name))
        classes = known.classes if self.classes is None else frozenset(self.classes)
        if self.config_by_name is False:
            classes -= {"config"}
        return Profile(
            name,
            classes,
            None if self.projects is None else frozenset(self.projects),
            frozenset(self.labels or ()),
            None if self.collections is None else frozenset(self.collections),
        )


class RuleEntry(Contract):
    """`[[rules]]`."""

    name: Annotated[str, StringConstraints(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    paths: Annotated[list[_Pattern], Field(min_length=1, max_length=MAX_ENTRIES)]
    source_class: Annotated[SourceClass | None, Field(alias="class")] = None
    project: Name | None = None
    labels: _SomeNames | None = None
    collections: _SomeNames | None = None
    roots: Annotated[list[_Text] | None, Field(min_length=1, max_length=MAX_ENTRIES)] = None

    @model_validator(mode="after")
    def _gives_something(self) -> RuleEntry:
        if self.source_class is None and self.project is None and self.labels is None:
            raise ValueError("it gives no class, project or labels")
        return self

    def rule(self) -> Rule:
        """Return the rule."""
        return Rule(
            tuple(self.paths),
            self.source_class,
            self.project,
            frozenset(self.labels or ()),
            None if self.collections is None else frozenset(self.collections),
            None if self.roots is None else frozenset(self.roots),
            self.name,
        )


class IdentityEntry(Contract):
    """`[[identities]]`; every condition must hold."""

    profile: str
    subject: _Text | None = None
    claims: Annotated[dict[_Text, _Text], Field(max_length=20)] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _asks_something(self) -> IdentityEntry:
        if self.subject is None and not self.claims:
            raise ValueError("it needs a subject or claims; who is not known gets 'restricted'")
        return self

    def identity(self) -> Identity:
        """Return the identity."""
        return Identity(self.profile, self.subject, tuple(sorted(self.claims.items())))


class PolicyFile(Contract):
    """A whole policy file; `version` is 1, so that an empty or cut file is none."""

    version: Annotated[int, AfterValidator(_version)]
    profiles: Annotated[dict[Name, ProfileEntry], Field(max_length=MAX_ENTRIES)] = Field(
        default_factory=dict
    )
    rules: Annotated[list[RuleEntry], Field(max_length=MAX_ENTRIES)] = Field(default_factory=list)
    identities: Annotated[list[IdentityEntry], Field(max_length=MAX_ENTRIES)] = Field(
        default_factory=list
    )
