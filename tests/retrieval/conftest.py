from __future__ import annotations

from pathlib import Path

import pytest

from groundkit_index import IngestOptions, ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed

_TOPICS = {
    "zebra": "Zebra stripes confuse biting flies, so that fewer of them land on the animal.",
    "heron": "A grey heron fishes at dawn, standing still in shallow water for an hour.",
    "granite": "Granite cools slowly below ground, which lets large crystals of quartz grow.",
    "sourdough": "Sourdough rises with wild yeast; feed the starter with flour every day.",
    "violin": "A violin is tuned in fifths, and its bow is drawn with rosin on horse hair.",
    "glacier": "A glacier moves under its own weight and grinds the valley into a trough.",
    "compiler": "The compiler folds constants and removes code that is never reached.",
    "tide": "Tides follow the moon; spring tides come when sun and moon are in line.",
    "saffron": "Saffron is picked by hand, three threads from every crocus flower.",
    "harbour": "The harbour master logs each ship, its cargo and the hour of arrival.",
    "beehive": "A beehive keeps its brood warm; workers fan their wings when it is hot.",
    "lantern": "The lantern burns whale oil, and its wick is trimmed each evening.",
}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in _TOPICS.items():
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    return folder


@pytest.fixture
def index_dir(tmp_path: Path, docs: Path) -> Path:
    """An index over the topics, without vectors."""
    ingest(docs, index_dir=tmp_path / "index", options=IngestOptions())
    return tmp_path / "index"


@pytest.fixture
def hashed(index_dir: Path) -> Path:
    """The same with vectors of the `hash` embedder."""
    embed(index_dir=index_dir, embedder=EmbedderSettings("hash"))
    return index_dir
