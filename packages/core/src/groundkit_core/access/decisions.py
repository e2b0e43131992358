"""What a policy decides, in words."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.access.profiles import Asked, Profile
from groundkit_core.access.rules import Classified


@dataclass(frozen=True, slots=True)
class Binding:
    """The profile that someone got.

    Attributes:
        profile: what they may read.
        why: how they came by it, without values of claims.
        fell_back: whether nothing named this profile, so that it is the narrowest.
    """

    profile: Profile
    why: str
    fell_back: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a document may be read; for operators, since a reader may not know why.

    Attributes:
        allowed: whether it may.
        reason: why, in words.
        rule: what decided: how the document came by its class, project or label, or the profile.
    """

    allowed: bool
    reason: str
    rule: str


def decide(
    profile: Profile, document: Classified, collection: str, asked: Asked = "all"
) -> Decision:
    """Return whether a profile reads a document in answer to a search for `asked`."""
    who = f"profile {profile.name!r}"
    if not profile.reads_collection(collection):
        return Decision(False, f"{who} does not read this collection", who)
    if document.source_class not in profile.classes:
        reason = f"{who} does not read the class {document.source_class!r}"
        return Decision(False, reason, document.why[0])
    if profile.projects is not None and document.project not in profile.projects:
        reason = f"{who} does not read the project {document.project!r}"
        return Decision(False, reason, document.why[1])
    for place, label in enumerate(sorted(document.labels), 2):
        if label not in profile.labels:
            reason = f"{who} does not hold the label {label!r}"
            return Decision(False, reason, document.why[place])
    return _asked(document, asked, who)


def _asked(document: Classified, asked: Asked, who: str) -> Decision:
    if asked == "all" and document.source_class == "config":
        reason = "'config' is searched only when it is asked for by name"
        return Decision(False, reason, document.why[0])
    if asked not in ("all", document.source_class):
        return Decision(False, f"the search asks for {asked!r} only", document.why[0])
    held = f", holds {', '.join(map(repr, sorted(document.labels)))}" if document.labels else ""
    reads = f"the class {document.source_class!r} and the project {document.project!r}"
    return Decision(True, f"{who} reads {reads}{held}", who)
