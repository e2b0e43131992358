from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_index.guard import RULES, scan
from groundkit_index.guard.gates import compile_gates, possible_rules

_SIZE = 100_000
_GATES = compile_gates(RULES)
_LITERALS = sorted({literal for rule in RULES for literal in rule.literals})
_BEGIN = "-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5
_FLOODS = [
    *_LITERALS,
    *("a", "-", "_", "\\", "\n", "é", "漢", "://", "sk-", "://a:", "://a:b@", "xoxb-1-", "eyJ."),
    "://a:" + "b" * 300,
    "eyJ" + "a" * 9 + ".eyJ" + "a" * 9 + ".",
    _BEGIN,
    _BEGIN + "\n" * 100,
    _BEGIN + "Version: 1\\n" * 5,
    " /" + "home/" + "a" * 64,
    ":\\Users\\" + "a " * 40,
    "secret_access_key" + " " * 12,
    "sk-" + "a1" * 100 + " ",
]
_FRAGMENTS = st.sampled_from(
    [*_LITERALS, *"aA0_-./\\@: \n", _BEGIN, "a1B2" * 12, "漢", *(part[1:] for part in _LITERALS)]
)


@pytest.mark.parametrize("flood", _FLOODS)
def test_a_flood_of_beginnings_costs_linear_time(flood: str) -> None:
    text = flood * (_SIZE // len(flood))
    start = time.process_time()
    scan(text)

    # Some 0.03 s; a pattern that backtracks over the whole text would take minutes.
    assert time.process_time() - start < 2


@pytest.mark.parametrize("filler", ["a", "-", "1-", "A1", " ", "\n", "/", "\\", ".", "a: b\n"])
@pytest.mark.parametrize("head", ["eyJ", "://a:", "sk-", "xoxb-", "SG.", _BEGIN, "C:\\Users\\"])
def test_a_beginning_without_an_end_costs_linear_time(head: str, filler: str) -> None:
    text = head + filler * (_SIZE // len(filler))
    start = time.process_time()
    scan(text)

    assert time.process_time() - start < 2


@settings(max_examples=200, deadline=None)
@given(st.lists(_FRAGMENTS, max_size=12).map("".join))
def test_the_gates_let_through_every_rule_whose_literal_is_there(text: str) -> None:
    expected = {rule.rule_id for rule in RULES if any(part in text for part in rule.literals)}

    passed = {rule.rule_id for rule in possible_rules(text, _GATES)}

    assert passed == expected


@settings(max_examples=200, deadline=None)
@given(st.lists(_FRAGMENTS, max_size=12).map("".join))
def test_a_pattern_matches_only_where_a_literal_of_its_rule_is(text: str) -> None:
    for rule in RULES:
        if rule.pattern.search(text):
            assert any(part in text for part in rule.literals)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200) | st.lists(_FRAGMENTS, max_size=20).map("".join))
def test_no_text_breaks_the_scan(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1

    assert all(1 <= finding.line <= lines for finding in scan(text))
