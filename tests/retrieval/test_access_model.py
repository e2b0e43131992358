"""Every operation agrees with a naive model of the policy, for random corpora and policies.

What a reader may not read costs the same as what is not there, its *timing class*: the same
statements of the catalog, rankings, embeddings and file accesses, and none of its file. How long
the engine takes inside one ranking is not part of it.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Literal

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.observed_work import threads_observed, work_of

from groundkit_core.access import Identity, Policy, PolicySource, Principal, Profile, Rule
from groundkit_core.contracts import SOURCE_CLASSES, SourceClass
from groundkit_core.errors import ChunkNotFoundError, GroundkitError
from groundkit_index import IngestOptions, ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_retrieval import Collection
from groundkit_retrieval.access import Reader

_FOLDERS = ("a", "b", "b/c")
_SUFFIXES: dict[str, SourceClass] = {".md": "docs", ".py": "code", ".toml": "config"}
_LABELS = ("hr", "board")
_CLASSES = st.frozensets(st.sampled_from(SOURCE_CLASSES), max_size=4)
_HELD = st.frozensets(st.sampled_from(_LABELS))


@dataclass(frozen=True)
class Doc:
    """One document of the corpus, as the test wrote it."""

    source: str
    source_class: SourceClass
    labels: frozenset[str]

    @property
    def word(self) -> str:
        """A word that stands in this document and in no other."""
        return _word(_CORPUS.index(self))


def _word(number: int) -> str:
    return f"xq{chr(ord('a') + number)}zv"


_CORPUS = tuple(
    Doc(f"{folder}/{number}{suffix}", _SUFFIXES[suffix], labels)
    for folder in _FOLDERS
    for number, (suffix, labels) in enumerate(
        [
            (".md", frozenset[str]()),
            (".md", frozenset({"hr"})),
            (".md", frozenset({"hr", "board"})),
            (".py", frozenset[str]()),
            (".toml", frozenset[str]()),
        ]
    )
)

_UNKNOWN_ID, _UNKNOWN_WORD = "0" * 24, _word(len(_CORPUS))

_rules = st.builds(
    Rule,
    paths=st.sampled_from([("a/**",), ("b/**",), ("b/c/*",), ("**/1.md",), ("**",)]),
    source_class=st.none() | st.sampled_from(SOURCE_CLASSES),
    project=st.none() | st.sampled_from(["alpha", "beta"]),
    labels=_HELD,
)
_profiles = st.builds(
    Profile,
    name=st.just("drawn"),
    classes=_CLASSES,
    projects=st.none() | st.frozensets(st.sampled_from(["alpha", "default"])),
    labels=_HELD,
    collections=st.none() | st.sampled_from([frozenset({"default"}), frozenset({"other"})]),
)


class Fixed(PolicySource):
    """A policy that is not read from a file."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._fixed = policy

    def current(self) -> Policy:
        return self._fixed


@pytest.fixture(scope="module")
def whole() -> Iterator[Collection]:
    with tempfile.TemporaryDirectory() as scratch:
        docs, index = Path(scratch) / "corpus", Path(scratch) / "index"
        for doc in _CORPUS:
            path = docs / doc.source
            path.parent.mkdir(parents=True, exist_ok=True)
            matter = f"---\naccess_labels: [{', '.join(sorted(doc.labels))}]\n---\n"
            body = f"# zebra {doc.source}\n\nzebra = 'stripes of {doc.source} {doc.word}'\n"
            path.write_text(matter + body if doc.labels else body)
        ingest(docs, index_dir=index, options=IngestOptions())
        embed(index_dir=index, embedder=EmbedderSettings("hash"))
        with threads_observed(), Collection.open(index_dir=index) as collection:
            yield collection


def _matches(pattern: str, source: str) -> bool:
    """Say by hand what the few patterns of this test match."""
    if pattern == "**":
        return True
    if pattern == "**/1.md":
        return source.rsplit("/", 1)[-1] == "1.md"
    if pattern == "b/c/*":
        return source.startswith("b/c/")
    return source.startswith(pattern.removesuffix("**"))


def _readable(policy: Policy, profile: Profile) -> dict[str, tuple[SourceClass, str]]:
    """Return source -> (class, project) of what the profile reads, the naive way."""
    found = {}
    for doc in _CORPUS:
        rules = [rule for rule in policy.rules if _matches(rule.paths[0], doc.source)]
        class_of = next((r.source_class for r in rules if r.source_class), doc.source_class)
        project = next((r.project for r in rules if r.project), "default")
        labels = doc.labels.union(*(rule.labels for rule in rules))
        if (
            class_of in profile.classes
            and labels <= profile.labels
            and (profile.projects is None or project in profile.projects)
            and (profile.collections is None or "default" in profile.collections)
        ):
            found[doc.source] = (class_of, project)
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rules=st.lists(_rules, max_size=3),
    profile=_profiles,
    known=st.booleans(),
    asked=st.sampled_from(["all", *SOURCE_CLASSES]),
    project=st.none() | st.sampled_from(["alpha", "default", "nonesuch"]),
    mode=st.sampled_from(["lexical", "dense", "hybrid"]),
)
def test_every_operation_agrees_with_the_naive_model(
    whole: Collection,
    rules: list[Rule],
    profile: Profile,
    known: bool,
    asked: SourceClass | Literal["all"],
    project: str | None,
    mode: str,
) -> None:
    policy = Policy({"drawn": profile}, tuple(rules), (Identity("drawn", subject="ann"),))
    bound = profile if known else policy.profiles["restricted"]
    seen = whole.as_seen_by(Reader(Fixed(policy), Principal("ann" if known else "eve")))
    readable = _readable(policy, bound)
    expected = {
        source
        for source, (class_of, its_project) in readable.items()
        if (class_of != "config" if asked == "all" else class_of == asked)
        and project in (None, its_project)
    }

    response = seen.search("zebra", mode=mode, limit=20, source_class=asked, project=project)
    cited = [hit.citation for hit in response.results]
    cited += [copy for hit in response.results for copy in hit.duplicates]
    assert {citation.source for citation in cited} == expected
    for citation in cited:
        assert readable[citation.source] == (citation.source_class, citation.project)
    wanted = set(SOURCE_CLASSES) - {"config"} if asked == "all" else {asked}
    assert set(response.coverage.searched) == wanted & bound.classes or not bound.reads_collection(
        "default"
    )

    listed = seen.sources(source_class=asked, project=project)
    assert {entry.source for entry in listed.sources} == expected
    assert listed.total == len(expected)
    status = seen.status()
    assert status.documents == len(readable)
    assert sum(status.documents_by_class.values()) == len(readable)
    assert seen.verify().checked == status.chunks
    for hit in whole.search("zebra", mode="lexical", limit=20).results:
        if hit.citation.source in readable:
            assert seen.fetch(hit.chunk_id).content == hit.content
        else:
            with pytest.raises(ChunkNotFoundError):
                seen.fetch(hit.chunk_id)


@pytest.fixture(scope="module")
def ids(whole: Collection) -> dict[str, str]:
    """Source -> id of its chunk."""
    found: dict[str, str] = {}
    for doc in _CORPUS:
        asked = doc.source_class
        response = whole.search(doc.word, mode="lexical", source_class=asked)
        (hit,) = response.results
        found[hit.citation.source] = hit.chunk_id
    return found


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rules=st.lists(_rules, max_size=3),
    profile=_profiles,
    doc=st.sampled_from(_CORPUS),
    mode=st.sampled_from(["lexical", "dense", "hybrid"]),
    context=st.sampled_from([0, 5]),
)
def test_what_is_forbidden_costs_the_same_work_as_what_is_not_there(
    whole: Collection,
    ids: dict[str, str],
    rules: list[Rule],
    profile: Profile,
    doc: Doc,
    mode: str,
    context: int,
) -> None:
    policy = Policy({"drawn": profile}, tuple(rules))
    seen = whole.as_seen_by(Reader(Fixed(policy), profile="drawn"))
    readable = _readable(policy, profile)
    assume(doc.source not in readable)

    def tasks(chunk_id: str, word: str) -> list[Callable[[], object]]:
        return [
            lambda: seen.fetch(chunk_id, context=context),
            lambda: seen.verify([chunk_id]),
            lambda: seen.search(word, mode=mode, limit=20),
            lambda: seen.search(word, mode=mode, limit=20, source_class=doc.source_class),
        ]

    hidden, absent = (ids[doc.source], doc.word), (_UNKNOWN_ID, _UNKNOWN_WORD)
    for of_hidden, of_absent in zip(tasks(*hidden), tasks(*absent), strict=True):
        work_of(of_absent)  # what only the first query of a reader does
        there, not_there = work_of(of_hidden), work_of(of_absent)
        assert there.counts == not_there.counts
        assert there.sources == not_there.sources
        assert there.sources <= set(readable)


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
def test_a_class_that_policy_withholds_costs_the_same_work_as_a_project_without_documents(
    whole: Collection, mode: str
) -> None:
    seen = whole.as_seen_by(Reader(PolicySource(), profile="engineer"))
    work_of(lambda: seen.search("zebra", mode=mode))  # what only the first query does
    denied = work_of(lambda: seen.search("zebra", mode=mode, source_class="config"))
    absent = work_of(lambda: seen.search("zebra", mode=mode, project="nonesuch"))
    assert denied.counts == absent.counts
    assert denied.sources == absent.sources == set()


def test_the_work_that_is_compared_is_really_seen(whole: Collection, ids: dict[str, str]) -> None:
    doc = _CORPUS[0]
    whole.search("zebra", mode="hybrid")
    search = work_of(lambda: whole.search(doc.word, mode="hybrid", limit=20))
    assert {"statement", "lexical ranking", "dense ranking", "embedding", "file lstat"} <= set(
        search.counts
    )
    assert search.sources == {d.source for d in _CORPUS if d.source_class != "config"}
    fetch = work_of(lambda: whole.fetch(ids[doc.source], context=3))
    missed = work_of(lambda: whole.fetch(_UNKNOWN_ID, context=3))
    assert fetch.sources == {doc.source}
    assert missed.sources == set()
    assert fetch.counts["statement"] > missed.counts["statement"] > 0


def test_no_clock_tells_forbidden_from_absent_by_a_factor_of_five(
    whole: Collection, ids: dict[str, str]
) -> None:
    seen = whole.as_seen_by(Reader(PolicySource(), profile="restricted"))
    code = next(doc for doc in _CORPUS if doc.source_class == "code")

    def seconds(task: Callable[[], object]) -> float:
        started = time.perf_counter()
        with contextlib.suppress(GroundkitError):
            task()
        return time.perf_counter() - started

    for hidden, absent in (
        (lambda: seen.fetch(ids[code.source]), lambda: seen.fetch(_UNKNOWN_ID)),
        (
            lambda: seen.search(code.word, mode="lexical"),
            lambda: seen.search(_UNKNOWN_WORD, mode="lexical"),
        ),
        (
            lambda: seen.search(code.word, mode="hybrid"),
            lambda: seen.search(_UNKNOWN_WORD, mode="hybrid"),
        ),
    ):
        pairs = [(seconds(hidden), seconds(absent)) for _ in range(300)]
        of_hidden, of_absent = (median(side) for side in zip(*pairs, strict=True))
        assert of_hidden < 5 * of_absent
        assert of_absent < 5 * of_hidden
