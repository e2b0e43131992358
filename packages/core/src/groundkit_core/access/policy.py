"""The policy: profiles, rules that classify documents, and identities."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Self

from groundkit_core.access.classifying import Composer
from groundkit_core.access.decisions import Binding, Decision, decide
from groundkit_core.access.globs import glob_regex
from groundkit_core.access.matching import RuleMatcher
from groundkit_core.access.principals import Identity, Principal
from groundkit_core.access.profiles import (
    BUILT_IN,
    NOTHING,
    RESTRICTED,
    Asked,
    Profile,
    widening,
)
from groundkit_core.access.rules import Classified, Rule
from groundkit_core.contracts.base import SourceClass
from groundkit_core.errors import PolicyError


@dataclass(frozen=True, eq=False)
class Policy:
    """Who may read what. `Policy()` has the built-in profiles and no rules.

    It is fixed and may be shared by threads; compare policies by `fingerprint`.

    Attributes:
        profiles: name -> profile; the built-in ones are there unless narrower ones replace them.
        rules: what documents are; see `Rule`.
        identities: who gets which profile; the first that matches decides.
        closed: when not empty, why nobody reads anything.

    Raises:
        PolicyError: a built-in profile is widened, a pattern is malformed, or an identity names
            no profile.
    """

    profiles: Mapping[str, Profile] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    identities: tuple[Identity, ...] = ()
    closed: str = ""

    def __post_init__(self) -> None:
        every = MappingProxyType({**BUILT_IN, **self.profiles})
        problems = [*_profile_faults(every), *_rule_faults(self.rules)]
        problems += [
            f"identities[{number}].profile: no such profile"
            for number, identity in enumerate(self.identities, 1)
            if identity.profile not in every
        ]
        if problems:
            raise PolicyError(problems)
        object.__setattr__(self, "profiles", every)

    @classmethod
    def deny_all(cls, reason: str) -> Self:
        """Return the policy under which nobody reads anything, because of `reason`."""
        return cls(closed=reason)

    def named(self, name: str | None) -> Binding:
        """Return the profile of a deployment that names one; missing or unknown is restricted."""
        if self.closed:
            return Binding(NOTHING, self.closed, True)
        profile = self.profiles.get(name or "")
        if profile is not None:
            return Binding(profile, "the deployment names it", False)
        why = "the profile that was named does not exist" if name else "no profile was named"
        return Binding(self.profiles[RESTRICTED], why, True)

    def bind(self, principal: Principal) -> Binding:
        """Return the profile of a principal: of the first identity that matches, or restricted."""
        if self.closed:
            return Binding(NOTHING, self.closed, True)
        for number, identity in enumerate(self.identities, 1):
            if identity.matches(principal):
                why = f"identity {number} matches by {identity.conditions}"
                return Binding(self.profiles[identity.profile], why, False)
        return Binding(self.profiles[RESTRICTED], "no identity matches", True)

    def profile_of(self, principal: Principal) -> Profile:
        """Return the profile of a principal."""
        return self.bind(principal).profile

    def classify(
        self,
        source: str,
        source_class: SourceClass,
        project: str,
        labels: frozenset[str] = frozenset(),
        *,
        collection: str,
        root: str = "",
        declared_class: SourceClass | None = None,
    ) -> Classified:
        """Return what a document is.

        Args:
            source: its path below its root, in POSIX form.
            source_class: the class that it was indexed with.
            project: the project that it was indexed with.
            labels: labels that its front matter declares; they add to those of the rules.
            collection: the collection it is in.
            root: the name of its root.
            declared_class: the class that its front matter declares; it counts when no profile
                reads it that does not read the other one.
        """
        matching = self._matcher(collection).matching(source, root)
        return self._composer.compose(matching, source_class, project, labels, declared_class)

    def decide(
        self, profile: Profile, document: Classified, collection: str, asked: Asked = "all"
    ) -> Decision:
        """Return whether a profile reads a document that a search for `asked` finds, and why."""
        if self.closed:
            return Decision(False, self.closed, "policy")
        return decide(profile, document, collection, asked)

    @functools.cached_property
    def fingerprint(self) -> str:
        """SHA-256 of what the policy says, in hex; comments and layout do not count."""
        said = {
            "profiles": [_plain(profile) for _, profile in sorted(self.profiles.items())],
            "rules": [_plain(rule) for rule in self.rules],
            "identities": [_plain(identity) for identity in self.identities],
            "closed": bool(self.closed),
        }
        text = json.dumps(said, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @functools.cached_property
    def _composer(self) -> Composer:
        return Composer(self.rules, self.profiles.values())

    @functools.cached_property
    def _named_collections(self) -> frozenset[str]:
        return frozenset().union(*(rule.collections or () for rule in self.rules))

    @functools.cached_property
    def _matchers(self) -> dict[str, RuleMatcher]:
        return {}

    def _matcher(self, collection: str) -> RuleMatcher:
        """Return the rules of a collection; those that no rule names share one set."""
        key = collection if collection in self._named_collections else ""
        matcher = self._matchers.get(key)
        if matcher is None:
            matcher = self._matchers.setdefault(key, RuleMatcher(self.rules, key))
        return matcher


def _profile_faults(profiles: Mapping[str, Profile]) -> Iterator[str]:
    for name, profile in profiles.items():
        if name != profile.name:
            yield f"profiles.{name}: the profile has another name"
        elif (fault := widening(profile)) is not None:
            yield f"profiles.{name}: {fault}"


def _rule_faults(rules: Sequence[Rule]) -> Iterator[str]:
    for number, rule in enumerate(rules, 1):
        for place, pattern in enumerate(rule.paths, 1):
            try:
                glob_regex(pattern)
            except ValueError as error:
                yield f"rules[{number}].paths[{place}]: {error}"


def _plain(value: Profile | Rule | Identity) -> dict[str, object]:
    return {
        key: sorted(item) if isinstance(item, frozenset) else item
        for key, item in asdict(value).items()
    }
