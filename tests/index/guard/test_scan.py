from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import groundkit_index.guard
from groundkit_core.errors import SettingsError
from groundkit_index.guard import (
    MAX_FINDINGS,
    NAME_RULES,
    RULES,
    Finding,
    check_allowed,
    scan,
)

_KEY = "AK" + "IA" + "Q3EGRZ5WKNB7TVXD"
_PATH = "/" + "home/kjensen/"


def test_findings_are_in_the_order_of_the_lines() -> None:
    text = f"{_PATH}\n\n{_KEY}\n{_PATH}\n"

    assert scan(text) == (
        Finding("home-path", 1),
        Finding("aws-access-key-id", 3),
        Finding("home-path", 4),
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_citations_count_them(newline: str) -> None:
    assert scan(newline.join(["", "", f"key {_KEY}", ""])) == (Finding("aws-access-key-id", 3),)


def test_a_rule_is_reported_once_a_line() -> None:
    assert scan(f"{_KEY} {_KEY} {_PATH}\n{_KEY}") == (
        Finding("aws-access-key-id", 1),
        Finding("home-path", 1),
        Finding("aws-access-key-id", 2),
    )


def test_an_example_does_not_hide_a_key_on_the_same_line() -> None:
    assert scan(f"AKIA{'X' * 16} {_KEY}") == (Finding("aws-access-key-id", 1),)


def test_only_the_first_findings_are_reported() -> None:
    found = scan(f"{_KEY} {_PATH}\n" * 1000)

    assert len(found) == MAX_FINDINGS
    assert found[-1] == Finding("home-path", MAX_FINDINGS // 2)


def test_a_finding_holds_a_rule_and_a_line_and_nothing_else() -> None:
    assert [field.name for field in dataclasses.fields(Finding)] == ["rule_id", "line"]
    assert _KEY not in repr(scan(_KEY))


def test_an_allowed_rule_is_not_applied() -> None:
    text = f"{_KEY}\n{_PATH}"

    assert scan(text, frozenset({"home-path"})) == (Finding("aws-access-key-id", 1),)
    assert scan(text, frozenset({"home-path", "aws-access-key-id"})) == ()


@pytest.mark.parametrize("text", ["", "\n", "A page without secrets.\n", "\ud800", "\0"])
def test_a_text_without_secrets_has_no_findings(text: str) -> None:
    assert scan(text) == ()


def test_the_sources_of_the_guard_and_these_tests_pass_their_own_scan() -> None:
    sources = Path(groundkit_index.guard.__file__).parent.glob("*.py")
    tests = Path(__file__).parent.glob("*.py")
    files = [*sources, *tests]

    assert len(files) > 12
    assert [file.name for file in files if scan(file.read_text(encoding="utf-8"))] == []


def test_rule_ids_are_unique_and_kebab_case() -> None:
    ids = [rule.rule_id for rule in RULES] + [rule.rule_id for rule in NAME_RULES]

    assert len(ids) == len(set(ids))
    assert all(part.isalnum() and part.islower() for id_ in ids for part in id_.split("-"))


def test_every_rule_can_be_allowed() -> None:
    ids = {rule.rule_id for rule in RULES} | {rule.rule_id for rule in NAME_RULES}

    assert check_allowed(ids) == ids
    assert check_allowed([]) == frozenset()


def test_an_unknown_rule_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="no rule 'home-paths'") as error:
        check_allowed(["jwt", "home-paths"])

    assert all(rule.rule_id in str(error.value) for rule in RULES)
    assert all(rule.rule_id in str(error.value) for rule in NAME_RULES)
