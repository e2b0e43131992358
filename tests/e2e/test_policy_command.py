from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Groundkit = Callable[..., Any]

POLICY = """
version = 1

[profiles.auditor]
labels = ["people"]

[profiles.support]
classes = ["docs"]
collections = ["manual"]

[[rules]]
name = "salaries"
paths = ["hr/**"]
labels = ["people"]

[[identities]]
profile = "engineer"
claims = { groups = "platform" }

[[identities]]
profile = "auditor"
subject = "ada"
"""


@pytest.fixture
def check(groundkit: Groundkit, tmp_path: Path) -> Groundkit:
    (tmp_path / "policy.toml").write_text(POLICY)

    def run(*arguments: str) -> Any:
        return groundkit("policy", "check", "policy.toml", *arguments)

    return run


def test_a_valid_policy_is_shown_with_all_its_profiles(check: Groundkit) -> None:
    done = check()
    assert done.code == 0
    assert done.out.startswith("valid (")
    for name in ("restricted", "engineer", "auditor", "support"):
        assert f"profile {name}\n" in done.out
    assert "collections  manual" in done.out


def test_an_invalid_policy_exits_with_one_and_a_line_for_each_problem(
    check: Groundkit, tmp_path: Path
) -> None:
    (tmp_path / "policy.toml").write_text('version = 2\ntoken = "hunter2"\n')
    done = check()
    assert done.code == 1
    assert done.out == "version: must be 1\ntoken: unknown key\n"
    assert done.err == "groundkit: policy.toml is not valid: 2 problems\n"
    told = check("--json")
    assert told.code == 1
    assert told.json["valid"] is False
    assert told.json["problems"] == ["version: must be 1", "token: unknown key"]


def test_a_missing_policy_is_a_problem_and_not_the_default(groundkit: Groundkit) -> None:
    done = groundkit("policy", "check", "none.toml", "--profile", "auditor")
    assert done.code == 1
    assert "cannot be read" in done.out
    assert "auditor" not in done.out


@pytest.mark.parametrize(
    ("arguments", "name", "why", "fell_back"),
    [
        (("--as", "ada"), "auditor", "identity 2 matches by the subject", False),
        (("--as", "bob"), "restricted", "no identity matches", True),
        (("--claim", "groups=platform"), "engineer", "identity 1", False),
        (
            ("--as", "bob", "--claim", "groups=a", "--claim", "groups=platform"),
            "engineer",
            "identity 1 matches by the claim groups",
            False,
        ),
        (("--profile", "support"), "support", "the deployment names it", False),
        (("--profile", "root"), "restricted", "does not exist", True),
        (("--profile", ""), "restricted", "no profile was named", True),
    ],
)
def test_it_says_which_profile_someone_gets_and_why(
    check: Groundkit, arguments: tuple[str, ...], name: str, why: str, fell_back: bool
) -> None:
    (profile,) = check(*arguments, "--json").json["profiles"]
    assert profile["name"] == name
    assert why in profile["why"]
    assert profile["fell_back"] is fell_back
    assert f"profile {name}: " in check(*arguments).out


def test_it_says_whether_a_document_may_be_read_and_by_which_rule(check: Groundkit) -> None:
    refused = check("--claim", "groups=platform", "--document", "hr/pay.md")
    assert refused.code == 0
    assert "label 'people' by rule 1 'salaries' (hr/**)" in refused.out
    assert "MAY NOT read it: profile 'engineer' does not hold the label 'people'" in refused.out
    allowed = check("--as", "ada", "--document", "hr/pay.md").out
    assert "may read it: profile 'auditor' reads the class 'docs'" in allowed


def test_without_a_reader_it_is_decided_for_every_profile(check: Groundkit) -> None:
    report = check("--document", "src/main.py", "--json").json
    allowed = {each["name"]: each["decision"]["allowed"] for each in report["profiles"]}
    assert allowed == {"restricted": False, "engineer": True, "auditor": True, "support": False}
    assert report["document"]["source_class"] == "code"


def test_class_project_label_and_collection_of_the_document_can_be_given(check: Groundkit) -> None:
    place = ("--document", "a.md", "--collection", "manual", "--project", "atlas", "--json")
    document = check(*place, "--source-class", "memory", "--label", "board").json["document"]
    assert document["source_class"] == "memory"
    assert document["project"] == "atlas"
    assert document["labels"] == ["board"]
    (support,) = check(*place, "--profile", "support").json["profiles"]
    assert support["decision"]["allowed"] is True


@pytest.mark.parametrize(
    "arguments",
    [
        ("--profile", "auditor", "--as", "ada"),
        ("--claim", "groups"),
        ("--claim", "=x"),
        ("--document", "../a.md"),
        ("--document", "/etc/passwd"),
        ("--document", "picture.png"),
        ("--document", "a.md", "--source-class", "all"),
    ],
)
def test_a_question_that_cannot_be_asked_is_a_usage_error(
    check: Groundkit, arguments: tuple[str, ...]
) -> None:
    done = check(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.count("\n") == 1


def test_names_cannot_break_lines_or_drive_the_terminal(check: Groundkit) -> None:
    done = check("--document", "a\x1b[31m\nvalid (.md")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "a\\x1b[31m\\x0avalid (.md" in done.out


def test_it_reads_and_creates_no_index(check: Groundkit, tmp_path: Path) -> None:
    check("--document", "a.md")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["policy.toml"]
