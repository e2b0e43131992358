from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundkit_core.access import declared
from groundkit_core.access.declarations import UNREADABLE


@pytest.mark.parametrize(
    "lines",
    [
        "access-labels: [people, board]",
        "access_labels: ['people', \"board\"]  # not for all",
        "Access-Labels: [people,\n  board,\n]",
        "access-labels:\n  - people\n\n  # and\n  - 'board' # x\ntitle: x",
        "access-labels:\n- people\n- board",
        "access-label: people\naccess-label: board",
        "meta:\n  access-labels: [people, board]",
    ],
)
def test_labels_are_read_in_every_usual_form(lines: str) -> None:
    assert declared(f"---\n{lines}\n---\n\nText.").labels == {"people", "board"}


def test_toml_front_matter_is_read() -> None:
    found = declared('+++\naccess-labels = ["people"]\naccess-class = "memory"\n+++\nText')
    assert found.labels == {"people"}
    assert found.source_class == "memory"


@pytest.mark.parametrize(
    "text",
    [
        "---\n\naccess-labels: people\n---\n",
        "---\ntitle: x\naccess-labels: people",
        "---\r\naccess-labels: people\r\n---\r\n",
        "---  \n# note\naccess-labels: people\n...\n",
    ],
)
def test_front_matter_that_is_not_tidy_still_counts(text: str) -> None:
    assert declared(text).labels == {"people"}


@pytest.mark.parametrize(
    "line",
    [
        "access-labels:",
        "access-labels: a, b",
        "access-labels: [a",
        "access-labels: [a] b",
        "access-labels: {a: b}",
        "access-labels: [../a]",
        "access-labels: |\n  a",
        "access-labels: &x a",
        "access-class: secret",
        "access-class: [docs, code]",
        "access-class:",
    ],
)
def test_a_declaration_that_cannot_be_understood_is_nobodys(line: str) -> None:
    assert UNREADABLE in declared(f"---\n{line}\n---\n").labels


@pytest.mark.parametrize(
    "text",
    [
        "",
        "access-labels: people",
        "# Title\n---\naccess-labels: people\n---\n",
        "---\ntitle: x\n---\naccess-labels: people\n",
        "---\naccess-labels: []\n---\n",
        "----\naccess-labels: people\n",
        "---\nlabels: people\n---\n",
    ],
)
def test_what_is_no_declaration_says_nothing(text: str) -> None:
    assert declared(text).labels == frozenset()
    assert declared(text).source_class is None


@given(st.text("ac-: []'\n#=", max_size=60))
def test_any_front_matter_is_read_without_an_error(body: str) -> None:
    found = declared(f"---\naccess-labels:{body}\n---\n")
    assert all(label == UNREADABLE or label.isprintable() for label in found.labels)


@pytest.mark.parametrize("filler", ["x: y\n" * 1_100, "x: " + "y" * 2_000_000 + "\n"])
def test_front_matter_too_long_to_be_closed_is_not_a_way_around(filler: str) -> None:
    assert declared(f"---\naccess-labels: people\n{filler}---\ntext").labels == {"people"}


def test_a_huge_list_is_read_in_bounded_time() -> None:
    assert declared("---\n" + "access-labels: [" * 200_000).labels == {UNREADABLE}
    assert declared("---\n" + "access-labels: [\n" * 1_000).labels == {UNREADABLE}
