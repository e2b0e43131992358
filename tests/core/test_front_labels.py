from __future__ import annotations

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.front_labels import front_labels


@pytest.mark.parametrize(
    ("matter", "labels"),
    [
        ("title: x", set()),
        ("access_labels: hr", {"hr"}),
        ("access_labels: [hr, 'legal', \"m.a-1\"]", {"hr", "legal", "m.a-1"}),
        ("access-labels: [hr]  # who may read", {"hr"}),
        ("Access_Labels: []", set()),
        ("title: x\naccess_labels:\n  - hr\n  - legal # and they\nother: y", {"hr", "legal"}),
        ("access_labels: hr\naccess_labels: legal", {"hr", "legal"}),
    ],
)
def test_labels_are_read_from_the_front_matter(matter: str, labels: set[str]) -> None:
    assert front_labels(f"---\n{matter}\n---\n# Text\n") == labels


def test_toml_front_matter_has_labels_too() -> None:
    assert front_labels('+++\naccess_labels = ["hr", "legal"]\n+++\ntext') == {"hr", "legal"}


@pytest.mark.parametrize(
    "value",
    ["{a: b}", "[hr", "", "[hr, two words]", "|", "../x", ", ".join(f"l{n}" for n in range(3))],
)
def test_labels_that_cannot_be_read_refuse_the_document(value: str) -> None:
    with pytest.raises(DocumentRefusedError, match="access_labels") as refused:
        front_labels(f"---\naccess_labels: {value}\n---\ntext")
    assert refused.value.reason == "labels"


def test_too_many_labels_refuse_the_document() -> None:
    many = ", ".join(f"l{number}" for number in range(33))
    with pytest.raises(DocumentRefusedError, match="more than 32"):
        front_labels(f"---\naccess_labels: [{many}]\n---\n")


@pytest.mark.parametrize(
    "text", ["", "access_labels: hr\n", "# Head\n---\naccess_labels: hr\n---\n", "---\n\n---\n"]
)
def test_what_is_no_front_matter_has_no_labels(text: str) -> None:
    assert front_labels(text) == frozenset()


@pytest.mark.parametrize("filler", ["x: y\n" * 1_100, "x: " + "y" * 70_000 + "\n"])
def test_front_matter_too_long_to_be_read_is_not_a_way_around(filler: str) -> None:
    with pytest.raises(DocumentRefusedError, match="not closed"):
        front_labels(f"---\naccess_labels: hr\n{filler}---\ntext")
