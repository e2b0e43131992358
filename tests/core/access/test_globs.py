from __future__ import annotations

import re
import time
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundkit_core.access.globs import MAX_PATTERN_CHARS, glob_regex, normalized


def matches(pattern: str, path: str) -> bool:
    return re.fullmatch(glob_regex(pattern), normalized(path)) is not None


def naive_segment(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(naive_segment(pattern[1:], name[n:]) for n in range(len(name) + 1))
    if not name:
        return False
    if pattern[0] == "?":
        return naive_segment(pattern[1:], name[1:])
    if pattern[0] == "[":
        members, _, rest = pattern[1:].partition("]")
        negated, members = members[0] == "!", members.lstrip("!")
        return (name[0] in members) != negated and naive_segment(rest, name[1:])
    return pattern[0] == name[0] and naive_segment(pattern[1:], name[1:])


def naive(pattern: str, path: str) -> bool:
    wanted, names = pattern.split("/"), path.split("/")

    @cache
    def match(at: int, name: int) -> bool:
        if at == len(wanted):
            return name == len(names)
        if wanted[at] != "**":
            here = name < len(names) and naive_segment(wanted[at], names[name])
            return here and match(at + 1, name + 1)
        if all(part == "**" for part in wanted[at:]):
            return name < len(names)
        return any(match(at + 1, later) for later in range(name, len(names) + 1))

    return match(0, 0)


SEGMENTS = st.one_of(
    st.just("**"),
    st.lists(st.sampled_from(["a", "b", "*", "?", "[ab]", "[!a]", "."]), min_size=1, max_size=5)
    .map("".join)
    .filter(lambda text: "**" not in text and text not in (".", "..")),
)
PATTERNS = st.lists(SEGMENTS, min_size=1, max_size=6).map("/".join)
NAMES = st.text("ab.-\n", min_size=1, max_size=5)
PATHS = st.lists(NAMES, min_size=1, max_size=6).map("/".join)


@given(PATTERNS, PATHS)
def test_a_pattern_matches_what_a_naive_matcher_matches(pattern: str, path: str) -> None:
    assert matches(pattern, path) == naive(pattern, path)


@given(st.text("ab*?[]!^-/.~\\é\0", max_size=12), PATHS)
def test_any_text_is_a_pattern_or_a_clear_error(pattern: str, path: str) -> None:
    try:
        regex = glob_regex(pattern)
    except ValueError as error:
        message = str(error)
    else:
        re.compile(regex).fullmatch(path)
        message = "fine"
    assert message.isascii()
    assert "\n" not in message


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("docs/**", "docs/a/b.md", True),
        ("docs/**", "docs", False),
        ("docs/**", "mydocs/a.md", False),
        ("**/secret*", "secret.md", True),
        ("**/secret*", "a/b/secrets.md", True),
        ("a/**/b", "a/b", True),
        ("a/**/**/b", "a/x/y/b", True),
        ("**", "a/b", True),
        ("*.md", "a.md", True),
        ("*.md", "a/b.md", False),
        ("a?c", "a/c", False),
        ("a[!x]c", "a/c", False),
        ("a[--0]c", "a/c", False),
        ("a[.-9]c", "a5c", True),
        ("Docs/*", "docs/a", False),
        ("a]b", "a]b", True),
        ("a[[]b", "a[b", True),
        ("a.b", "axb", False),
        ("a\u0301/*", "\u00e1/x", True),
        ("\u00e1/*", "a\u0301/x", True),
    ],
)
def test_examples(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "/etc/*",
        "~/x",
        "../x",
        "a/../b",
        "./a",
        "a//b",
        "docs/",
        "a**",
        "***",
        "a\\b",
        "a\0b",
        "a\nb",
        "[",
        "[]",
        "[!]",
        "[^a]",
        "[b-a]",
        "a[/]b",
        "a" * (MAX_PATTERN_CHARS + 1),
        "\ud800",
    ],
)
def test_what_could_be_misread_is_refused_and_not_repeated(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"^(a pattern|folders|'\*\*'|'\[|a range)") as caught:
        glob_regex(pattern)
    assert not pattern or len(pattern) < 3 or pattern not in str(caught.value)


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 60 + "b",
        "**/a*/" * 30 + "b",
        "**/" * 60 + "b",
        "*[ab]" * 40 + "c",
        "**/*a*a*a*a*a*/**/*a*a*a*/**/*b",
        "?" * 100 + "*" + "?" * 100 + "b",
    ],
)
@pytest.mark.parametrize("unit", ["a", "a/", "aaaa/"])
def test_no_pattern_takes_more_than_linear_time(pattern: str, unit: str) -> None:
    regex = re.compile(glob_regex(pattern))

    def seconds(chars: int) -> float:
        path = (unit * chars)[:chars] + "a"
        times = []
        for _ in range(3):
            started = time.process_time()
            assert regex.fullmatch(path) is None
            times.append(time.process_time() - started)
        return min(times)

    small, large = seconds(4_000), seconds(32_000)
    # Eight times the length: linear time is 8 times, quadratic time 64 times as long.
    assert large < 24 * small + 0.002
