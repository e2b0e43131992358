"""Says in full what a policy file means, for the operator who wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundkit_core.access.decisions import Binding
from groundkit_core.access.loading import load_policy
from groundkit_core.access.policy import Policy
from groundkit_core.access.principals import Principal
from groundkit_core.access.profiles import Asked, Profile
from groundkit_core.access.rules import Classified
from groundkit_core.contracts.base import SOURCE_CLASSES, Contract, SourceClass
from groundkit_core.errors import PolicyError


class DecisionReport(Contract):
    """Whether a profile reads the document, why, and what decided."""

    allowed: bool
    reason: str
    rule: str


class ProfileReport(Contract):
    """One profile and how it was come by.

    Attributes:
        why: how the principal or the deployment got it; empty when all are listed.
        fell_back: whether nothing named it.
        projects: None for all.
        collections: None for all.
        config_by_name: whether `config` may be asked for.
        decision: what it means for the document; None when none was named.
    """

    name: str
    why: str
    fell_back: bool
    classes: tuple[SourceClass, ...]
    projects: tuple[str, ...] | None
    labels: tuple[str, ...]
    collections: tuple[str, ...] | None
    config_by_name: bool
    decision: DecisionReport | None = None


class DocumentReport(Contract):
    """What the named document is."""

    source: str
    collection: str
    source_class: SourceClass
    project: str
    labels: tuple[str, ...]
    why: tuple[str, ...]


class PolicyReport(Contract):
    """What a policy file means.

    Attributes:
        valid: whether it can be used.
        problems: everything that is wrong, one line each.
        notes: what is allowed but may not be meant.
        fingerprint: SHA-256 of what it says; None when it is not valid.
        profiles: the profile that was asked about, or all.
        document: the document that was asked about.
    """

    valid: bool
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fingerprint: str | None = None
    profiles: tuple[ProfileReport, ...] = ()
    document: DocumentReport | None = None


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A document as the index would know it; see `Policy.classify`."""

    source: str
    source_class: SourceClass
    project: str = "default"
    labels: frozenset[str] = frozenset()
    collection: str = "default"
    root: str = ""


def explain(
    path: Path,
    *,
    principal: Principal | None = None,
    profile: str | None = None,
    document: DocumentQuestion | None = None,
    asked: Asked | None = None,
) -> PolicyReport:
    """Return what a policy file means.

    Args:
        path: the file.
        principal: shows the profile of this principal only.
        profile: shows this profile only, as a deployment would bind it.
        document: decided for each profile that is shown.
        asked: what a search for the document asks for; None asks for its own class.
    """
    try:
        policy = load_policy(path)
    except PolicyError as error:
        return PolicyReport(valid=False, problems=error.problems)
    known = _classified(policy, document) if document else None
    collection = document.collection if document else ""
    return PolicyReport(
        valid=True,
        notes=tuple(_notes(policy)),
        fingerprint=policy.fingerprint,
        profiles=tuple(
            _profile(binding, _decision(policy, binding.profile, known, collection, asked))
            for binding in _bindings(policy, principal, profile)
        ),
        document=_document(document, known) if document and known else None,
    )


def _bindings(
    policy: Policy, principal: Principal | None, profile: str | None
) -> Sequence[Binding]:
    if principal is not None:
        return [policy.bind(principal)]
    if profile is not None:
        return [policy.named(profile)]
    return [Binding(each, "", fell_back=False) for each in policy.profiles.values()]


def _classified(policy: Policy, asked: DocumentQuestion) -> Classified:
    return policy.classify(
        asked.source,
        asked.source_class,
        asked.project,
        asked.labels,
        collection=asked.collection,
        root=asked.root,
    )


def _decision(
    policy: Policy,
    profile: Profile,
    document: Classified | None,
    collection: str,
    asked: Asked | None,
) -> DecisionReport | None:
    if document is None:
        return None
    found = policy.decide(profile, document, collection, asked or document.source_class)
    return DecisionReport(allowed=found.allowed, reason=found.reason, rule=found.rule)


def _profile(binding: Binding, decision: DecisionReport | None) -> ProfileReport:
    profile = binding.profile
    return ProfileReport(
        name=profile.name,
        why=binding.why,
        fell_back=binding.fell_back,
        classes=tuple(name for name in SOURCE_CLASSES if name in profile.classes),
        projects=_sorted(profile.projects),
        labels=tuple(sorted(profile.labels)),
        collections=_sorted(profile.collections),
        config_by_name=profile.config_by_name,
        decision=decision,
    )


def _document(asked: DocumentQuestion, known: Classified) -> DocumentReport:
    return DocumentReport(
        source=asked.source,
        collection=asked.collection,
        source_class=known.source_class,
        project=known.project,
        labels=tuple(sorted(known.labels)),
        why=known.why,
    )


def _sorted(names: frozenset[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(sorted(names))


def _notes(policy: Policy) -> Iterator[str]:
    held = frozenset[str]().union(*(profile.labels for profile in policy.profiles.values()))
    for number, rule in enumerate(policy.rules, 1):
        for label in sorted(rule.labels - held):
            yield f"{rule.described(number)}: no profile holds {label!r}, so nobody reads these"
        for pattern in rule.paths:
            if "/" not in pattern and pattern != "**":
                yield (
                    f"{rule.described(number)}: {pattern!r} matches only at the top of a root; "
                    f"'**/{pattern}' matches in every folder"
                )
