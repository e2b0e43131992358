from __future__ import annotations

import time

import pytest

from groundkit_core.access import Classified, Policy, PolicyError, Profile, Rule
from groundkit_core.contracts import SourceClass


def classify(policy: Policy, source: str, **more: str) -> Classified:
    given = {"collection": "default", **more}
    return policy.classify(source, "docs", "default", **given)  # type: ignore[arg-type]


def test_a_document_that_no_rule_matches_is_as_it_was_indexed() -> None:
    found = Policy().classify("a.py", "code", "atlas", collection="default")
    assert (found.source_class, found.project, found.labels) == ("code", "atlas", frozenset())
    assert found.why == ("class 'code' as indexed", "project 'atlas' as indexed")


def test_the_first_rule_that_gives_a_class_or_project_decides_and_labels_add_up() -> None:
    policy = Policy(
        rules=(
            Rule(("hr/**",), labels=frozenset({"people"})),
            Rule(("**/plan.md",), source_class="decisions", labels=frozenset({"board"}), name="x"),
            Rule(("hr/**",), source_class="memory", project="staff"),
            Rule(("**",), source_class="code", project="rest"),
        )
    )
    found = classify(policy, "hr/plan.md")
    assert (found.source_class, found.project) == ("decisions", "staff")
    assert found.labels == {"people", "board"}
    assert found.why == (
        "class 'decisions' by rule 2 'x' (**/plan.md)",
        "project 'staff' by rule 3 (hr/**)",
        "label 'board' by rule 2 'x' (**/plan.md)",
        "label 'people' by rule 1 (hr/**)",
    )


def test_a_rule_counts_in_its_collections_and_roots_only() -> None:
    policy = Policy(
        rules=(
            Rule(("**",), labels=frozenset({"a"}), collections=frozenset({"manual"})),
            Rule(("x/**",), labels=frozenset({"b"}), roots=frozenset({"hr"})),
        )
    )
    assert classify(policy, "x/y").labels == set()
    assert classify(policy, "x/y", collection="manual").labels == {"a"}
    assert classify(policy, "x/y", root="hr").labels == {"b"}
    assert classify(policy, "x/y", root="hr", collection="manual").labels == {"a", "b"}


def test_twins_that_look_the_same_are_ruled_the_same() -> None:
    policy = Policy(rules=(Rule(("caf\u00e9/**",), labels=frozenset({"a"})),))
    assert classify(policy, "caf\u00e9/x").labels == {"a"}
    assert classify(policy, "cafe\u0301/x").labels == {"a"}


def test_front_matter_adds_labels_and_removes_none() -> None:
    policy = Policy(rules=(Rule(("hr/**",), labels=frozenset({"people"})),))
    found = policy.classify("hr/x", "docs", "p", frozenset({"board"}), collection="default")
    assert found.labels == {"people", "board"}
    assert found.why[2:] == ("label 'board' by front matter", "label 'people' by rule 1 (hr/**)")


@pytest.mark.parametrize(
    ("indexed", "says", "becomes"),
    [
        ("docs", "code", "code"),
        ("code", "memory", "memory"),
        ("docs", "config", "config"),
        ("code", "docs", "code"),
        ("memory", "decisions", "memory"),
        ("config", "memory", "config"),
    ],
)
def test_front_matter_narrows_the_class_and_never_widens_it(
    indexed: SourceClass, says: SourceClass, becomes: SourceClass
) -> None:
    found = Policy().classify("x", indexed, "p", collection="default", declared_class=says)
    assert found.source_class == becomes
    assert ("ignored" in found.why[-1]) is (becomes == indexed)


def test_a_class_is_narrower_only_when_no_profile_reads_it_alone() -> None:
    policy = Policy({"keeper": Profile("keeper", frozenset({"memory"}))})
    found = policy.classify("x", "docs", "p", collection="default", declared_class="memory")
    assert found.source_class == "docs"


def test_a_malformed_pattern_is_an_error_with_its_place() -> None:
    with pytest.raises(PolicyError, match=r"rules\[2\]\.paths\[1\]"):
        Policy(rules=(Rule(("a",)), Rule(("../b",))))


def test_many_documents_are_classified_quickly() -> None:
    rules = [Rule((f"folder{n}/**", f"**/name{n}*"), labels=frozenset({"x"})) for n in range(20)]
    policy = Policy(rules=tuple(rules))
    sources = [f"folder{n % 50}/inner/name{n}.md" for n in range(20_000)]
    started = time.process_time()
    found = [classify(policy, source) for source in sources]
    assert time.process_time() - started < 2
    assert sum(bool(each.labels) for each in found) > 8_000
    assert len({id(each) for each in found}) < 500
