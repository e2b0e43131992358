from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from groundkit_index import ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed

SEARCH = """
import sys
from groundkit_retrieval.cli import main
try:
    main(["search", "giraffe", "--mode", sys.argv[2], "--index-dir", sys.argv[1], "--json"])
except SystemExit as ended:
    assert not ended.code, ended.code
loaded = {"numpy", "lancedb", "pyarrow", "onnxruntime"} & set(sys.modules)
print("loaded:", *sorted(loaded), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cold")
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("# Animals\n\nA giraffe is tall.\n")
    ingest(folder / "docs", index_dir=folder / "index")
    embed(index_dir=folder / "index", embedder=EmbedderSettings("hash"))
    return folder / "index"


@pytest.mark.parametrize(
    ("mode", "loaded"),
    [("lexical", "loaded:"), ("dense", "loaded: numpy"), ("hybrid", "loaded: numpy")],
)
def test_a_search_imports_only_what_its_mode_needs(index: Path, mode: str, loaded: str) -> None:
    command = [sys.executable, "-c", SEARCH, str(index), mode]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "giraffe" in done.stdout
    assert done.stderr.splitlines()[-1] == loaded
