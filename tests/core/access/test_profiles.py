from __future__ import annotations

import pytest

from groundkit_core.access import Policy, PolicyError, Profile
from groundkit_core.access.profiles import BUILT_IN, NOTHING, Asked
from groundkit_core.contracts import SOURCE_CLASSES


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("restricted", {"docs", "decisions"}),
        ("engineer", {"docs", "decisions", "code"}),
        ("auditor", {"docs", "decisions", "code", "config", "memory"}),
    ],
)
def test_the_built_in_profiles_are_these(name: str, classes: set[str]) -> None:
    profile = Policy().profiles[name]
    assert profile.classes == classes
    assert (profile.projects, profile.labels, profile.collections) == (None, frozenset(), None)
    assert profile.config_by_name is (name == "auditor")


@pytest.mark.parametrize("profile", BUILT_IN.values(), ids=list(BUILT_IN))
def test_all_never_includes_config(profile: Profile) -> None:
    assert set(profile.searched("all")) == profile.classes - {"config"}
    assert profile.searched("config") == (("config",) if profile.name == "auditor" else ())


@pytest.mark.parametrize("asked", ["all", *SOURCE_CLASSES])
@pytest.mark.parametrize("profile", BUILT_IN.values(), ids=list(BUILT_IN))
def test_what_is_asked_for_is_searched_or_skipped_with_a_reason(
    profile: Profile, asked: Asked
) -> None:
    searched, skipped = set(profile.searched(asked)), set(profile.skipped(asked))
    assert searched | skipped == (set(SOURCE_CLASSES) if asked == "all" else {asked})
    assert not searched & skipped


def test_nothing_reads_nothing() -> None:
    assert not NOTHING.reads_collection("default")
    assert not any(NOTHING.reads(c, "p", frozenset(), "default") for c in SOURCE_CLASSES)


def test_a_reader_holds_all_labels_of_a_document() -> None:
    reader = Profile("r", frozenset({"docs"}), labels=frozenset({"people", "board"}))
    assert reader.reads("docs", "p", frozenset({"people", "board"}), "c")
    assert not reader.reads("docs", "p", frozenset({"people", "legal"}), "c")


def test_projects_and_collections_limit_what_is_read() -> None:
    reader = Profile(
        "r", frozenset({"docs"}), projects=frozenset({"p"}), collections=frozenset({"c"})
    )
    assert reader.reads("docs", "p", frozenset(), "c")
    assert not reader.reads("docs", "q", frozenset(), "c")
    assert not reader.reads("docs", "p", frozenset(), "d")
    assert not reader.reads_collection("d")


@pytest.mark.parametrize(
    "wider",
    [
        Profile("restricted", frozenset({"docs", "code"})),
        Profile("engineer", frozenset({"config"})),
        Profile("restricted", frozenset({"docs"}), labels=frozenset({"people"})),
    ],
)
def test_a_built_in_profile_cannot_be_widened(wider: Profile) -> None:
    with pytest.raises(PolicyError, match=rf"profiles\.{wider.name}: "):
        Policy({wider.name: wider})


def test_a_built_in_profile_can_be_narrowed_and_given_labels() -> None:
    narrow = Profile("auditor", frozenset({"docs"}), frozenset({"p"}), frozenset({"people"}))
    closed = Profile("restricted")
    policy = Policy({"auditor": narrow, "restricted": closed})
    assert policy.named("auditor").profile == narrow
    assert policy.named(None).profile == closed
    assert policy.named("engineer").profile == BUILT_IN["engineer"]


def test_config_is_read_by_an_auditor_who_names_it_and_by_nobody_else() -> None:
    policy = Policy()
    document = policy.classify("app.toml", "config", "default", collection="default")
    auditor, engineer = policy.profiles["auditor"], policy.profiles["engineer"]
    assert policy.decide(auditor, document, "default", "config").allowed
    unnamed = policy.decide(auditor, document, "default", "all")
    assert not unnamed.allowed
    assert unnamed.reason == "'config' is searched only when it is asked for by name"
    assert not policy.decide(engineer, document, "default", "config").allowed
