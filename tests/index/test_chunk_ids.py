"""Ids of chunks and documents outlive what happens around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import ChunkNotFoundError

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

FILLER = "What stands here only makes the section long enough to be a chunk of its own. " * 11
GUIDE = (
    f"# Guide\n\n## First\n\n{FILLER}\n\nThe zebra crosses at noon.\n\n"
    f"## Second\n\n{FILLER}\n\nThe giraffe eats at dawn.\n\n"
    f"## Third\n\n{FILLER}\n\nThe camel drinks at dusk.\n"
)


def ids(space: Workspace, source: str = "guide.md") -> dict[str, str]:
    """Return the content of each chunk's last line -> chunk id."""
    return {chunk.content.splitlines()[-1]: chunk.chunk_id for chunk in space.chunks()[source]}


@pytest.fixture
def guide(space: Workspace) -> Workspace:
    space.write("guide.md", GUIDE)
    space.ingest()
    return space


def test_a_line_above_moves_the_span_and_keeps_every_id(space: Workspace) -> None:
    opening = f"An introduction of its own. {FILLER}\n\n"
    space.write("guide.md", GUIDE)
    space.ingest()
    before = {chunk.chunk_id: chunk for chunk in space.chunks()["guide.md"]}
    space.write("guide.md", opening + GUIDE)
    space.ingest()
    after = {chunk.chunk_id: chunk for chunk in space.chunks()["guide.md"]}
    kept = before.keys() & after.keys()
    assert kept == before.keys()
    for chunk_id in kept:
        assert after[chunk_id].content == before[chunk_id].content
        assert after[chunk_id].start == before[chunk_id].start + len(opening)
        assert after[chunk_id].start_line == before[chunk_id].start_line + 2
        assert after[chunk_id].chunk_key == before[chunk_id].chunk_key


def test_an_edited_passage_gets_a_new_id_and_its_neighbours_keep_theirs(guide: Workspace) -> None:
    before = ids(guide)
    guide.write("guide.md", GUIDE.replace("giraffe eats", "giraffe rests"))
    guide.ingest()
    after = ids(guide)
    assert after["The zebra crosses at noon."] == before["The zebra crosses at noon."]
    assert after["The camel drinks at dusk."] == before["The camel drinks at dusk."]
    assert before["The giraffe eats at dawn."] not in after.values()


def test_a_stored_chunk_id_is_fetched_after_edits_elsewhere(guide: Workspace) -> None:
    (hit,) = [h for h in guide.find("giraffe") if "giraffe" in h.content]
    guide.write("guide.md", f"New first line. {FILLER}\n\n" + GUIDE + "\n## Fourth\n\nThe yak.\n")
    guide.ingest()
    passage = guide.open().fetch(hit.chunk_id)
    assert passage.content == hit.content
    assert passage.citation.verification == "verified"
    assert passage.citation.start_line == hit.citation.start_line + 2


def test_a_chunk_that_is_gone_is_not_found(guide: Workspace) -> None:
    (hit,) = [h for h in guide.find("giraffe") if "giraffe" in h.content]
    guide.write("guide.md", "Nothing of it is left.\n")
    guide.ingest()
    with pytest.raises(ChunkNotFoundError):
        guide.open().fetch(hit.chunk_id)


def test_equal_passages_of_one_document_have_ids_of_their_own(space: Workspace) -> None:
    section = f"## One\n\n{FILLER}\n\nThe zebra.\n\n"
    space.write("twice.md", section + section)
    space.ingest()
    chunks = space.chunks()["twice.md"]
    assert len({chunk.content for chunk in chunks}) == 1
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks) == 2


def test_equal_documents_have_ids_of_their_own(space: Workspace) -> None:
    space.write_all({"a.md": "The zebra.\n", "b.md": "The zebra.\n"})
    space.ingest()
    assert len(set(space.documents().values())) == 2
    assert len({chunk.chunk_id for chunks in space.chunks().values() for chunk in chunks}) == 2


def test_keys_of_chunks_are_never_used_again(guide: Workspace) -> None:
    used: set[int] = set()
    for text in (GUIDE, "only one\n", GUIDE, "another\n"):
        guide.write("guide.md", text)
        guide.ingest()
        keys = {chunk.chunk_key for chunk in guide.chunks()["guide.md"]}
        assert not keys & used or text == GUIDE
        used |= keys
    guide.write("guide.md", GUIDE)
    guide.ingest()
    assert not {chunk.chunk_key for chunk in guide.chunks()["guide.md"]} & used


def test_a_document_that_left_and_came_back_has_its_ids_again(guide: Workspace) -> None:
    before, documents = ids(guide), guide.documents()
    guide.write("other.md", "Something stays.\n")
    (guide.folder / "guide.md").unlink()
    guide.ingest()
    guide.write("guide.md", GUIDE)
    guide.ingest()
    assert ids(guide) == before
    assert guide.documents()["guide.md"] == documents["guide.md"]


def test_a_changed_title_keeps_ids_and_makes_the_title_searchable(space: Workspace) -> None:
    body = f"## Opening\n\n{FILLER}\n\n## Part\n\n{FILLER}\n\nThe zebra crosses.\n"
    space.write("guide.md", f"---\ntitle: Handbook\n---\n\n{body}")
    space.ingest()
    before = ids(space)["The zebra crosses."]
    assert space.found("handbook") == ["guide.md"]
    space.write("guide.md", f"---\ntitle: Compendium\n---\n\n{body}")
    space.ingest()
    assert ids(space)["The zebra crosses."] == before
    assert space.found("compendium") == ["guide.md"]
    assert space.found("handbook") == []


def test_a_changed_heading_above_is_searchable_at_once(space: Workspace) -> None:
    text = f"# Savanna\n\n{FILLER}\n\n## Part\n\n{FILLER}\n\nThe zebra crosses.\n"
    space.write("guide.md", text)
    space.ingest()
    space.write("guide.md", text.replace("Savanna", "Desert"))
    space.ingest()
    zebra = [hit for hit in space.find("desert") if "zebra" in hit.content]
    assert [hit.citation.heading_path for hit in zebra] == [("Desert", "Part")]
    assert space.found("savanna") == []
