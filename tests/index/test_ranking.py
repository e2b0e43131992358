"""Filters are below ranking, ties are stable, and a query is only words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_core.filters import DocumentFilter
from groundkit_index import IndexReader
from groundkit_index.catalog.writer import CatalogWriter

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

EVERYTHING = DocumentFilter()


def ranked(
    space: Workspace,
    query: str,
    where: DocumentFilter = EVERYTHING,
    limit: int = 10,
    offset: int = 0,
) -> list[tuple[int, float]]:
    with IndexReader.open(space.index) as reader:
        tokens = reader.analyzer.query_tokens(query)
        return reader.read(lambda snapshot: snapshot.lexical(tokens, where, limit, offset))


@pytest.fixture
def mixed(space: Workspace) -> Workspace:
    """Forty strong hits in code and config, three weak ones in documents."""
    for number in range(20):
        space.write(f"src/{number}.py", f"zebra = 'zebra zebra zebra {number}'\n")
        space.write(f"conf/{number}.toml", f"zebra = 'zebra zebra zebra {number}'\n")
    for number in range(3):
        space.write(f"text/{number}.md", f"A long text {'of words ' * 60} a zebra {number}.\n")
    space.ingest()
    return space


def test_a_page_fills_when_the_best_hits_are_of_other_classes(mixed: Workspace) -> None:
    assert mixed.found("zebra", source_class="docs", limit=3) == [
        "text/0.md",
        "text/1.md",
        "text/2.md",
    ]


def test_a_page_fills_when_the_best_hits_are_of_another_project(mixed: Workspace) -> None:
    mixed.ingest(mixed.folder / "text", project="kite")
    assert mixed.found("zebra", project="kite", limit=3) == ["text/0.md", "text/1.md", "text/2.md"]
    assert mixed.found("zebra", project="unknown") == []
    assert mixed.found("zebra", project="kite", source_class="code") == []


def test_all_classes_leave_out_config_which_must_be_named(mixed: Workspace) -> None:
    found = mixed.find("zebra", limit=20)
    assert {hit.citation.source_class for hit in found} <= {"code", "docs"}
    named = mixed.find("zebra", limit=20, source_class="config")
    assert {hit.citation.source_class for hit in named} == {"config"}


@pytest.mark.parametrize("name", SOURCE_CLASSES)
def test_a_class_filter_gives_exactly_the_chunks_of_that_class(mixed: Workspace, name: str) -> None:
    keys = {
        chunk.chunk_key
        for chunks in mixed.chunks().values()
        for chunk in chunks
        if chunk.source_class == name
    }
    where = DocumentFilter(frozenset({name}))  # type: ignore[arg-type]
    assert {key for key, _ in ranked(mixed, "zebra", where, limit=100)} == keys


@pytest.mark.parametrize("label", ["config", "kite"])
def test_a_document_that_was_relabelled_is_held_to_its_new_label_at_once(
    space: Workspace, label: str
) -> None:
    """The catalog is ahead of the lexical index, as after a crash or during an ingest."""
    space.write("secret.md", "The zebra is secret.\n")
    space.ingest()
    catalog = CatalogWriter(space.catalog)
    (root,) = catalog.roots()
    with catalog.batch():
        for known in catalog.known_documents(root).values():
            source_class = "config" if label == "config" else known.source_class
            project = known.project if label == "config" else label
            catalog.relabel_document(
                known, root, known.source, source_class, project, known.signature
            )
    catalog.close()
    if label == "config":
        assert space.found("zebra") == []
    else:
        assert space.found("zebra", project="default") == []


def test_a_filter_does_not_change_scores(mixed: Workspace) -> None:
    everything = dict(ranked(mixed, "zebra", limit=100))
    docs = dict(ranked(mixed, "zebra", DocumentFilter(frozenset({"docs"})), limit=100))
    assert docs
    assert {key: everything[key] for key in docs} == docs


def test_hits_come_best_first_and_pages_do_not_overlap(mixed: Workspace) -> None:
    whole = ranked(mixed, "zebra", limit=43)
    assert [score for _, score in whole] == sorted((s for _, s in whole), reverse=True)
    pages = [hit for offset in range(0, 43, 10) for hit in ranked(mixed, "zebra", offset=offset)]
    assert len({key for key, _ in pages}) == len(pages) == len(whole) == 43


def test_equal_scores_are_ordered_by_key(space: Workspace) -> None:
    space.write_all({f"{n:02}.md": f"The zebra unique{n:02}.\n" for n in range(12)})
    space.ingest()
    hits = ranked(space, "zebra", limit=12)
    assert len({score for _, score in hits}) == 1
    assert [key for key, _ in hits] == sorted(key for key, _ in hits)


def test_equal_scores_give_the_same_page_however_the_index_was_filled(space: Workspace) -> None:
    for number in range(12):
        space.write(f"{number:02}.md", f"The zebra unique{number:02}.\n")
        space.ingest()
    keys = sorted(key for key, _ in ranked(space, "zebra", limit=12))
    assert [key for key, _ in ranked(space, "zebra", limit=5)] == keys[:5]


WORDS = ("zebra", "giraffe", "near", "body", "camel")


@pytest.fixture(scope="module")
def words(make_space: Callable[[], Workspace]) -> Workspace:
    space = make_space()
    for word in WORDS:
        space.write(f"{word[0]}.md", f"The {word} stands here.\n")
    space.ingest()
    return space


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("zebra*", ["z.md"]),
        ("zeb*", []),
        ("-zebra", ["z.md"]),
        ("+zebra +giraffe", ["g.md", "z.md"]),
        ("zebra AND NOT giraffe", ["g.md", "z.md"]),
        ("NEAR(zebra, giraffe)", ["g.md", "n.md", "z.md"]),
        ("body:zebra", ["b.md", "z.md"]),
        ("key:1", []),
        ('"zebra giraffe"', ["g.md", "z.md"]),
        ('"zebra', ["z.md"]),
        ("zebra^5", ["z.md"]),
        ("zebra~2", ["z.md"]),
        ("(zebra OR", ["z.md"]),
        ("[a TO zzz]", []),
        ("/ze.*/", []),
        ("'); DROP TABLE chunks;-- zebra", ["z.md"]),
        ("zebra\\", ["z.md"]),
        ("*", []),
        ("\U0001f993", []),
        ("z\u200bebra", None),
        ("ze\u0301bra", ["z.md"]),
        ("ZEBRA", ["z.md"]),
        ("zebra " * 80, ["z.md"]),
    ],
)
def test_no_part_of_a_query_is_an_operator(
    words: Workspace, query: str, expected: list[str] | None
) -> None:
    found = words.found(query)
    assert found == expected if expected is not None else set(found) <= {"z.md"}


def test_a_query_of_stop_words_finds_nothing_and_says_why(words: Workspace) -> None:
    answer = words.open().search("the of and")
    assert (answer.status, answer.reason) == ("NO_RELEVANT_CONTEXT", "no_results")
    assert "too common" in answer.coverage.notes[0]
