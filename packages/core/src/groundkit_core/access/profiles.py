"""What a reader may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from groundkit_core.contracts.base import SOURCE_CLASSES, SourceClass

Asked = SourceClass | Literal["all"]


@dataclass(frozen=True, slots=True)
class Profile:
    """What a reader may see; hashable, so that it can key a cache.

    Attributes:
        name: as identities and `GROUNDKIT_PROFILE` name it.
        classes: source classes that it reads.
        projects: projects that it reads; None reads all.
        labels: labels that it holds; a document is read only by who holds all of its labels.
        collections: collections that it reads; None reads all.
    """

    name: str
    classes: frozenset[SourceClass] = frozenset()
    projects: frozenset[str] | None = None
    labels: frozenset[str] = frozenset()
    collections: frozenset[str] | None = None

    @property
    def config_by_name(self) -> bool:
        """Whether `config` may be asked for; it must be named, `all` never includes it."""
        return "config" in self.classes

    def reads_collection(self, collection: str) -> bool:
        """Return whether the collection may be known at all."""
        return bool(self.classes) and (self.collections is None or collection in self.collections)

    def reads(
        self, source_class: SourceClass, project: str, labels: frozenset[str], collection: str
    ) -> bool:
        """Return whether a document may be read, whatever was asked for."""
        return (
            source_class in self.classes
            and labels <= self.labels
            and (self.projects is None or project in self.projects)
            and (self.collections is None or collection in self.collections)
        )

    def searched(self, asked: Asked) -> tuple[SourceClass, ...]:
        """Return the classes that a search for `asked` draws from, in a fixed order."""
        wanted = set(SOURCE_CLASSES) - {"config"} if asked == "all" else {asked}
        return tuple(name for name in SOURCE_CLASSES if name in wanted & self.classes)

    def skipped(self, asked: Asked) -> dict[str, str]:
        """Return class -> why a search for `asked` leaves it out, for classes it would cover."""
        wanted = SOURCE_CLASSES if asked == "all" else (asked,)
        skipped: dict[str, str] = {
            name: "not allowed by policy" for name in wanted if name not in self.classes
        }
        if asked == "all" and self.config_by_name:
            skipped["config"] = "searched only when named"
        return skipped


RESTRICTED = "restricted"
"""What everyone gets who is not known, or whose profile is not."""

NOTHING = Profile("nothing", projects=frozenset(), collections=frozenset())
"""Reads nothing; in force while a policy is broken."""

_RESTRICTED_CLASSES: frozenset[SourceClass] = frozenset({"docs", "decisions"})
_ENGINEER_CLASSES: frozenset[SourceClass] = _RESTRICTED_CLASSES | {"code"}
_AUDITOR_CLASSES: frozenset[SourceClass] = _ENGINEER_CLASSES | {"config", "memory"}

BUILT_IN: Mapping[str, Profile] = MappingProxyType(
    {
        RESTRICTED: Profile(RESTRICTED, _RESTRICTED_CLASSES),
        "engineer": Profile("engineer", _ENGINEER_CLASSES),
        "auditor": Profile("auditor", _AUDITOR_CLASSES),
    }
)
"""The profiles that every policy has; a policy may narrow their classes, never widen them."""


def widening(profile: Profile) -> str | None:
    """Return how a profile reads more than the built-in one of its name; None when it does not.

    Labels may be granted to `engineer` and `auditor`, but not to `restricted`, which is
    everyone's.
    """
    built_in = BUILT_IN.get(profile.name)
    if built_in is None:
        return None
    more = ", ".join(sorted(profile.classes - built_in.classes))
    if more:
        return f"a built-in profile cannot be widened by {more}; define one under another name"
    if profile.name == RESTRICTED and profile.labels:
        return "everyone who is not known gets this profile, so it cannot hold labels"
    return None
