"""Project and source class that were set for a part of a root persist."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

TEXTS = {
    "readme.md": "The zebra.\n",
    "src/main.py": "def zebra() -> None: ...\n",
    "ops/run.md": "The zebra runs.\n",
    "ops/inner/deep.md": "The zebra digs.\n",
}


def labels(space: Workspace) -> dict[str, tuple[str, str]]:
    """Return source -> (source class, project); `config` included."""
    with space.open() as collection:
        named = [*collection.sources().sources, *collection.sources(source_class="config").sources]
    return {entry.source: (entry.source_class, entry.project) for entry in named}


def test_classes_are_decided_by_suffix_and_folder(space: Workspace) -> None:
    space.write_all(TEXTS | {"decisions/0001-x.md": "We chose.\n", "app.toml": "a = 1\n"})
    space.ingest()
    found = labels(space)
    assert found["readme.md"] == ("docs", "default")
    assert found["src/main.py"] == ("code", "default")
    assert found["decisions/0001-x.md"] == ("decisions", "default")
    assert found["app.toml"] == ("config", "default")


def test_what_was_set_holds_for_later_ingests(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(project="kite", source_class="memory")
    space.write("later.md", "The zebra again.\n")
    assert space.counts() == {"added": 1, "unchanged": 4}
    assert set(labels(space).values()) == {("memory", "kite")}


def test_a_changed_label_updates_documents_without_an_edit(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    before = space.documents()
    assert space.counts(project="kite") == {"updated": 4}
    assert space.documents() == before
    assert space.found("zebra", project="kite") == sorted(TEXTS)
    assert space.found("zebra", project="default") == []


def test_a_part_has_labels_of_its_own_and_the_inner_one_wins(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(project="kite")
    space.ingest(space.folder / "ops", project="crew")
    space.ingest(space.folder / "ops/inner", source_class="decisions")
    assert labels(space) == {
        "readme.md": ("docs", "kite"),
        "src/main.py": ("code", "kite"),
        "ops/run.md": ("docs", "crew"),
        "ops/inner/deep.md": ("decisions", "crew"),
    }
    assert space.counts() == {"unchanged": 4}


def test_labels_of_a_part_survive_when_the_folder_above_takes_over(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(space.folder / "ops", project="crew", source_class="memory")
    space.ingest()
    assert labels(space)["ops/run.md"] == ("memory", "crew")
    assert labels(space)["readme.md"] == ("docs", "default")
    space.write("ops/new.md", "The zebra.\n")
    space.ingest()
    assert labels(space)["ops/new.md"] == ("memory", "crew")


def test_labels_of_a_moved_root_survive(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(project="kite")
    elsewhere = space.folder.parent / "elsewhere"
    space.folder.rename(elsewhere)
    space.ingest(elsewhere)
    assert {project for _, project in labels(space).values()} == {"kite"}


def test_a_file_moved_into_a_part_takes_its_labels(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    space.ingest(space.folder / "ops", project="crew")
    (space.folder / "readme.md").rename(space.folder / "ops/readme.md")
    assert space.counts()["moved"] == 1
    assert labels(space)["ops/readme.md"] == ("docs", "crew")
    assert "ops/readme.md" in space.found("zebra", project="crew")
