from __future__ import annotations

from groundkit_retrieval.duplicates import Fingerprint

PAGE = "Each workspace may store five hundred gigabytes of snapshots in version {} of the product"


def prints(query: str, *texts: str) -> list[Fingerprint]:
    words = frozenset(query.lower().split())
    return [Fingerprint.of(text, words) for text in texts]


def test_copies_that_differ_in_a_version_are_the_same() -> None:
    one, two = prints("workspace snapshots", PAGE.format("one"), PAGE.format("two") + " line")
    assert one.same_as(one)
    assert not one.same_as(prints("x", "Something else entirely stands here today")[0])
    long = PAGE.format("one") + " and more words that both of the pages hold in the same order"
    first, second = prints("workspace snapshots", long, long.replace(" one ", " two "))
    assert first.same_as(second)
    assert two.same_as(two)


def test_a_copy_that_the_query_tells_apart_is_not_the_same() -> None:
    long = PAGE.format("one") + " and more words that both of the pages hold in the same order"
    first, second = prints("snapshots in version two", long, long.replace(" one ", " two "))
    assert not first.same_as(second)


def test_short_passages_are_the_same_only_when_equal() -> None:
    one, two, again = prints("x", "port 1", "port 2", "port 1")
    assert not one.same_as(two)
    assert one.same_as(again)
