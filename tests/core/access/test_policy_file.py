from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundkit_core.access import Policy, PolicyError, Principal, load_policy, parse_policy
from groundkit_core.errors import SettingsError

FULL = """
version = 1

[profiles.auditor]
labels = ["people"]

[profiles.engineer]
projects = ["atlas"]

[profiles.support]
classes = ["docs", "config"]
config_by_name = false
collections = ["manual"]

[[rules]]
name = "staff"
paths = ["hr/**", "**/salaries*"]
labels = ["people"]
collections = ["manual"]
roots = ["docs"]

[[rules]]
paths = ["adr/*.md"]
class = "decisions"
project = "atlas"

[[identities]]
profile = "engineer"
subject = "build-bot"

[[identities]]
profile = "support"
claims = { groups = "helpdesk", tenant = "north" }
"""


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(PolicyError) as caught:
        parse_policy(text.encode("utf-8", "surrogateescape"))
    assert "\n" not in str(caught.value)
    assert all("\n" not in line and line for line in caught.value.problems)
    return caught.value.problems


def test_everything_that_a_file_can_say_is_understood() -> None:
    policy = parse_policy(FULL.encode())
    assert policy.profiles["auditor"].labels == {"people"}
    assert policy.profiles["auditor"].config_by_name
    assert policy.profiles["engineer"].classes == {"docs", "decisions", "code"}
    assert policy.profiles["engineer"].projects == frozenset({"atlas"})
    assert policy.profiles["support"].classes == {"docs"}
    assert policy.profiles["support"].collections == frozenset({"manual"})
    staff = policy.classify("hr/x", "docs", "p", collection="manual", root="docs")
    assert staff.labels == {"people"}
    adr = policy.classify("adr/1.md", "docs", "p", collection="any")
    assert (adr.source_class, adr.project) == ("decisions", "atlas")
    assert policy.profile_of(Principal("build-bot")).name == "engineer"
    helper = Principal("x", {"groups": ("helpdesk",), "tenant": "north"})
    assert policy.profile_of(helper).name == "support"


def test_the_smallest_file_is_the_built_in_policy() -> None:
    assert parse_policy(b"version = 1").fingerprint == Policy().fingerprint


def test_the_fingerprint_follows_the_meaning_and_not_the_layout() -> None:
    policy = parse_policy(FULL.encode())
    commented = "# A comment\n" + FULL.replace('["docs", "config"]', '["config","docs"]')
    assert parse_policy(commented.encode()).fingerprint == policy.fingerprint
    for old, new in (("hr/**", "hr/*"), ("north", "south"), ('"atlas"]', '"atlas", "b"]')):
        assert parse_policy(FULL.replace(old, new).encode()).fingerprint != policy.fingerprint


def test_the_order_of_rules_and_identities_is_part_of_the_meaning() -> None:
    first, second = '[[rules]]\npaths=["a"]\nproject="p"\n', '[[rules]]\npaths=["a"]\nproject="q"\n'
    one = parse_policy(f"version=1\n{first}{second}".encode())
    other = parse_policy(f"version=1\n{second}{first}".encode())
    assert one.fingerprint != other.fingerprint
    assert one.classify("a", "docs", "x", collection="c").project == "p"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "version: is required"),
        ("version = 2", "version: must be 1"),
        ("version = true", "version: must be a whole number"),
        ("version = 1\nversion = 1\n", "is not valid TOML at line 2, column 12"),
        ("version =", "is not valid TOML at end of document"),
        ("x = " + "[" * 5000, "is not valid TOML"),
        ("version = 1\nx = " + "1" * 5000, "is not valid TOML"),
        ("version = 1\ntoken = 5", "token: unknown key"),
        ("version = 1\nprofiles = 3", "profiles: must be a table"),
        ("version = 1\nrules = {}", "rules: must be a list"),
        ("version = 1\n[profiles.a]", "profiles.a: classes is required; [] reads nothing"),
        (
            'version = 1\n[profiles.a]\nclasses = ["docs"]\nconfig_by_name = true',
            "profiles.a: config_by_name needs 'config' among the classes",
        ),
        (
            'version = 1\n[profiles.restricted]\nclasses = ["code"]',
            "profiles.restricted: a built-in profile cannot be widened by code; "
            "define one under another name",
        ),
        (
            'version = 1\n[profiles.restricted]\nlabels = ["x"]',
            "profiles.restricted: everyone who is not known gets this profile, "
            "so it cannot hold labels",
        ),
        ('version = 1\n[[rules]]\nlabels = ["x"]', "rules[1].paths: is required"),
        (
            'version = 1\n[[rules]]\npaths = ["a"]',
            "rules[1]: it gives no class, project or labels",
        ),
        (
            'version = 1\n[[rules]]\npaths = ["a", "../b"]\nproject = "p"',
            "rules[1].paths[2]: a pattern has no empty, '.' or '..' segment",
        ),
        (
            'version = 1\n[[identities]]\nprofile = "engineer"',
            "identities[1]: it needs a subject or claims; who is not known gets 'restricted'",
        ),
        (
            'version = 1\n[[identities]]\nprofile = "nix"\nsubject = "x"',
            "identities[1].profile: no such profile",
        ),
        (
            'version = 1\n[[identities]]\nprofile = "auditor"\nsubject = "x"\n'
            '[[identities]]\nprofile = "engineer"\nsubject = "x"',
            "identities[2]: it asks what identities[1] asks, so never decides",
        ),
    ],
)
def test_a_problem_is_one_line_with_the_path_of_its_key(text: str, problem: str) -> None:
    assert problems(text) == (problem,)


def test_all_problems_are_listed() -> None:
    text = 'version=1\nx=1\n[[rules]]\npaths=[3, "/a"]\n[[identities]]\nsubject=""\n'
    keys = {line.partition(": ")[0] for line in problems(text)}
    assert keys == {
        "x",
        "rules[1].paths[1]",
        "rules[1].paths[2]",
        "identities[1].profile",
        "identities[1].subject",
    }


@pytest.mark.parametrize(
    "text",
    [
        'version = "hunter2"',
        'version = 1\ntoken = "hunter2"',
        'version = 1\n[profiles.a]\nclasses = ["hunter2"]',
        'version = 1\n[profiles.a]\nclasses = []\nlabels = ["hunter2/"]',
        'version = 1\n[[rules]]\npaths = ["../hunter2"]\nproject = "p"',
        'version = 1\n[[identities]]\nprofile = "hunter2"\nsubject = "hunter2"',
        'version = 1\n[[identities]]\nprofile = "auditor"\nsubject = ["hunter2"]',
        'version = 1\n[[identities]]\nprofile = "auditor"\nclaims = { a = "hunter2", b = 2 }',
        'version = 1\ntoken = "hunter2',
        "version = 1\ntoken = hunter2",
        'version = 1\ntoken = "hunter2\\q"',
    ],
)
def test_no_value_is_repeated(text: str) -> None:
    assert "hunter2" not in " ".join(problems(text))


@given(st.binary(max_size=60) | st.text('version=1\n[]"profilesrul.', max_size=60).map(str.encode))
def test_any_bytes_are_a_policy_or_a_policy_error(data: bytes) -> None:
    try:
        policy = parse_policy(data)
    except PolicyError as error:
        told = [*error.problems]
    else:
        told = [*policy.profiles]
    assert told


def test_caps_hold() -> None:
    rule = '[[rules]]\npaths=["a"]\nproject="p"\n'
    assert "1000" in problems("version=1\n" + rule * 1001)[0]
    many = ",".join('"a"' for _ in range(1000))
    rule = f'[[rules]]\npaths=[{many}]\nproject="p"\n'
    assert problems("version=1\n" + rule * 6) == ("rules: more than 5000 paths in all",)
    assert problems(f'version=1\n[[rules]]\nproject="p"\npaths=["{"a" * 300}"]')


def test_a_file_is_read_with_or_without_a_bom(write: Callable[[str], Path]) -> None:
    assert load_policy(write("version = 1")).fingerprint == Policy().fingerprint
    assert load_policy(write("\ufeffversion = 1")).fingerprint == Policy().fingerprint


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "dangling", "huge", "nul"])
def test_what_cannot_be_read_is_an_error_that_does_not_block(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "policy.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "dangling":
        path.symlink_to(tmp_path / "nowhere")
    elif kind == "huge":
        path.write_bytes(b"version = 1\n" + b"#" * 1_000_001)
    elif kind == "nul":
        path = Path("a\0b")
    with pytest.raises(SettingsError, match="cannot be read") as caught:
        load_policy(path)
    assert str(tmp_path) not in str(caught.value)


def test_a_file_that_everyone_may_write_is_refused(write: Callable[[str], Path]) -> None:
    path = write("version = 1")
    path.chmod(0o666)
    with pytest.raises(PolicyError, match="chmod o-w"):
        load_policy(path)


def test_a_link_to_a_file_is_followed(write: Callable[[str], Path], tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(write(FULL))
    assert "support" in load_policy(link).profiles


def test_the_documented_policy_is_valid_and_means_what_the_page_says() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "policy.md"
    example = page.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    policy = parse_policy(example.encode())
    plan = policy.classify("hr/plan.md", "docs", "default", collection="default")
    ada, platform = Principal("ada"), Principal("x", {"groups": ("platform",)})
    assert policy.decide(policy.profile_of(ada), plan, "default").allowed
    assert not policy.decide(policy.profile_of(platform), plan, "default").allowed
