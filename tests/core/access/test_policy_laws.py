"""What holds for every policy, document and principal."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundkit_core.access import (
    Classified,
    Identity,
    Policy,
    Principal,
    Profile,
    Rule,
)
from groundkit_core.access.profiles import BUILT_IN, Asked
from groundkit_core.contracts import SOURCE_CLASSES

CLASSES = st.sampled_from(SOURCE_CLASSES)
ASKED: tuple[Asked, ...] = ("all", *SOURCE_CLASSES)
PROJECTS = st.sampled_from(["p", "q", "r"])
LABELS = st.frozensets(st.sampled_from(["l", "m", "n"]))
COLLECTIONS = st.sampled_from(["c", "d"])
SOURCES = st.lists(st.sampled_from(["a", "b", "c.md"]), min_size=1, max_size=4).map("/".join)
PATTERNS = st.sampled_from(["**", "a/**", "**/c.md", "*/b/**", "b", "?/*"])

PROFILES = st.builds(
    Profile,
    st.sampled_from(["one", "two", "three"]),
    st.frozensets(CLASSES),
    st.none() | st.frozensets(PROJECTS),
    LABELS,
    st.none() | st.frozensets(COLLECTIONS),
)
RULES = st.builds(
    Rule,
    st.lists(PATTERNS, min_size=1, max_size=3).map(tuple),
    st.none() | CLASSES,
    st.none() | PROJECTS,
    LABELS,
    st.none() | st.frozensets(COLLECTIONS),
)
CONDITIONS = st.lists(
    st.tuples(st.just("groups"), st.sampled_from(["g", "h"])), max_size=2, unique=True
).map(tuple)


@st.composite
def policies(draw: Any) -> Policy:
    profiles = {profile.name: profile for profile in draw(st.lists(PROFILES, max_size=3))}
    identities = st.builds(
        Identity,
        st.sampled_from([*BUILT_IN, *profiles]),
        st.sampled_from([None, "s", "t"]),
        CONDITIONS,
    )
    return Policy(
        profiles,
        tuple(draw(st.lists(RULES, max_size=5))),
        tuple(draw(st.lists(identities, max_size=4))),
    )


DOCUMENTS = st.fixed_dictionaries(
    {
        "source": SOURCES,
        "source_class": CLASSES,
        "project": PROJECTS,
        "labels": LABELS,
        "collection": COLLECTIONS,
    }
)


def readable(policy: Policy, document: Classified, collection: str, asked: Asked) -> set[str]:
    return {
        name
        for name, profile in policy.profiles.items()
        if policy.decide(profile, document, collection, asked).allowed
    }


@given(policies(), DOCUMENTS, LABELS, st.none() | CLASSES)
def test_front_matter_never_lets_anyone_read_more(
    policy: Policy, document: dict[str, Any], more: frozenset[str], narrower: Any
) -> None:
    before = policy.classify(**document)
    labels = document["labels"] | more
    after = policy.classify(**{**document, "labels": labels, "declared_class": narrower})
    collection = document["collection"]
    assert before.labels <= after.labels
    assert before.project == after.project
    assert readable(policy, after, collection, "all") <= readable(policy, before, collection, "all")
    for profile in policy.profiles.values():
        if profile.reads(after.source_class, after.project, after.labels, collection):
            assert profile.reads(before.source_class, before.project, before.labels, collection)


@given(policies(), DOCUMENTS)
def test_a_decision_agrees_with_a_naive_reading_of_the_policy(
    policy: Policy, document: dict[str, Any]
) -> None:
    found = policy.classify(**document)
    collection = document["collection"]
    for profile, asked in itertools.product(policy.profiles.values(), ASKED):
        wanted = set(SOURCE_CLASSES) - {"config"} if asked == "all" else {asked}
        expected = (
            found.source_class in profile.classes
            and found.source_class in wanted
            and all(label in profile.labels for label in found.labels)
            and (profile.projects is None or found.project in profile.projects)
            and (profile.collections is None or collection in profile.collections)
        )
        decision = policy.decide(profile, found, collection, asked)
        assert decision.allowed == expected
        assert decision.reason
        assert decision.rule
        assert expected == (
            profile.reads(found.source_class, found.project, found.labels, collection)
            and found.source_class in profile.searched(asked)
        )


@given(policies(), st.sampled_from(["", "u", "s"]), st.sampled_from(["", "i", "g"]), DOCUMENTS)
def test_a_principal_that_no_identity_matches_reads_what_restricted_reads(
    policy: Policy, subject: str, group: str, document: dict[str, Any]
) -> None:
    principal = Principal(subject, {"groups": (group,)})
    binding = policy.bind(principal)
    found = policy.classify(**document)
    if not any(
        (each.subject is not None or each.claims)
        and each.subject in (None, subject)
        and all(value == group for _, value in each.claims)
        for each in policy.identities
    ):
        assert binding.fell_back
        allowed = policy.decide(binding.profile, found, document["collection"]).allowed
        assert not allowed or found.source_class in {"docs", "decisions"}
        assert not allowed or not found.labels
    else:
        assert not binding.fell_back


@given(policies(), DOCUMENTS)
def test_classifying_is_the_same_in_any_order_and_in_an_equal_policy(
    policy: Policy, document: dict[str, Any]
) -> None:
    twin = Policy(policy.profiles, policy.rules, policy.identities)
    twin.classify("b", "code", "q", collection="d")
    assert policy.classify(**document) == twin.classify(**document)
    assert policy.fingerprint == twin.fingerprint


@given(policies(), DOCUMENTS)
def test_the_first_rule_of_each_attribute_decides(policy: Policy, document: dict[str, Any]) -> None:
    found = policy.classify(**document)
    collection = document["collection"]
    alone = {**document, "labels": frozenset()}
    hits = [
        rule
        for rule in policy.rules
        if (rule.collections is None or collection in rule.collections)
        and Policy(rules=(Rule(rule.paths, labels=frozenset({"hit"})),)).classify(**alone).labels
    ]
    classes = [rule.source_class for rule in hits if rule.source_class]
    projects = [rule.project for rule in hits if rule.project]
    assert found.source_class == [*classes, document["source_class"]][0]
    assert found.project == [*projects, document["project"]][0]
    assert found.labels == document["labels"].union(*(rule.labels for rule in hits))


@given(policies(), DOCUMENTS, LABELS)
def test_another_label_in_a_rule_never_lets_anyone_read_more(
    policy: Policy, document: dict[str, Any], labels: frozenset[str]
) -> None:
    stricter = Policy(policy.profiles, (*policy.rules, Rule(("**",), labels=labels)))
    collection = document["collection"]
    for asked in ("all", "config"):
        before = readable(policy, policy.classify(**document), collection, asked)
        assert readable(stricter, stricter.classify(**document), collection, asked) <= before


@given(policies(), DOCUMENTS)
def test_a_closed_policy_lets_nobody_read_anything(
    policy: Policy, document: dict[str, Any]
) -> None:
    closed = Policy.deny_all("broken")
    found = closed.classify(**document)
    for profile in (*policy.profiles.values(), closed.profile_of(Principal("s"))):
        assert not closed.decide(profile, found, document["collection"]).allowed
    for name in (None, "auditor"):
        assert not closed.named(name).profile.classes
    assert closed.fingerprint != Policy().fingerprint
