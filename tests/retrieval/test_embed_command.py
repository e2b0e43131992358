"""`groundkit embed` and what `status` tells of it, with real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from groundkit_index import CollectionPaths, ingest
from groundkit_index.doctor import examine
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_retrieval import Collection

HASH = EmbedderSettings("hash")
SECTIONS, FILES = 200, 20


def words(index_dir: Path, *arguments: str) -> list[str]:
    return [arguments[0], "--index-dir", str(index_dir), *arguments[1:]]


def run(
    index_dir: Path, *arguments: str, before: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the real command, after some lines of Python."""
    script = f"{before}\nfrom groundkit_retrieval.cli import main\nmain()\n"
    return subprocess.run(
        [sys.executable, "-P", "-c", script, *words(index_dir, *arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


def status(index_dir: Path) -> Any:
    with Collection.open(index_dir=index_dir) as collection:
        return collection.status()


class TestStatus:
    def test_a_lexical_collection_has_no_embedding(self, index_dir: Path) -> None:
        assert status(index_dir).embedding is None

    def test_the_embedder_and_its_vectors_are_told(self, hashed: Path) -> None:
        told = status(hashed)
        assert told.embedding.model_dump() == {
            "provider": "hash",
            "model": "words",
            "revision": "1",
            "dimensions": 256,
            "vectors": told.chunks,
            "pending": 0,
        }

    def test_what_waits_is_counted_by_itself(self, hashed: Path, docs: Path) -> None:
        table = CollectionPaths.of(hashed, "default").current().vectors / "vectors.lance"
        for manifest in (table / "_versions").glob("*.manifest"):
            manifest.write_bytes(b"damage")
        (docs / "new.md").write_text("# New\n\nThe yak.\n")
        ingest(docs, index_dir=hashed)
        told = status(hashed)
        assert (told.embedding.vectors, told.embedding.pending) == (told.chunks - 1, 1)
        assert told.pending == 1

    def test_vectors_that_cannot_be_read_are_told_as_such(self, hashed: Path) -> None:
        slab = CollectionPaths.of(hashed, "default").current().slab
        (slab / "slab.json").write_text("{")
        assert status(hashed).embedding.vectors is None

    def test_the_command_shows_it(self, hashed: Path) -> None:
        shown = run(hashed, "status")
        (line,) = [line for line in shown.stdout.splitlines() if line.startswith("embedding")]
        assert line == (
            "embedding   hash words (1), 256 dimensions; "
            f"{status(hashed).chunks} vectors, 0 changes pending"
        )
        as_json = json.loads(run(hashed, "status", "--json").stdout)
        assert as_json["embedding"]["provider"] == "hash"


class TestTheDefault:
    def test_without_the_extra_it_says_what_to_do(self, index_dir: Path) -> None:
        done = run(index_dir, "embed", before="import sys; sys.modules['fastembed'] = None")
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert "--embedder" in line
        assert "pip install 'groundkit-index[local]'" in line
        assert status(index_dir).embedding is None

    def test_with_the_extra_it_is_fastembed_which_says_what_it_downloads(
        self, index_dir: Path, tmp_path: Path
    ) -> None:
        pytest.importorskip("fastembed")
        done = run(index_dir, "embed", HF_HUB_OFFLINE="1", XDG_CACHE_HOME=str(tmp_path))
        assert done.returncode == 1
        chosen, download, failure = done.stderr.splitlines()
        assert chosen == "groundkit: no embedder was named, so fastembed is taken"
        assert "BAAI/bge-small-en-v1.5 (about 67 MB, once)" in download
        assert str(tmp_path) in download
        assert "could not be downloaded" in failure
        assert status(index_dir).embedding is None


class TestTheCommand:
    def test_it_tells_how_much_and_how_fast(self, index_dir: Path) -> None:
        done = run(index_dir, "embed", "--embedder", "hash")
        assert (done.returncode, done.stderr) == (0, "")
        assert "12 texts embedded with hash words in" in done.stdout
        assert " a second); 12 vectors, 0 pending" in done.stdout

    def test_another_embedder_is_refused_with_the_choice_spelled_out(self, hashed: Path) -> None:
        before = status(hashed).embedding
        done = run(hashed, "embed", "--embedder", "hash", "--query-prefix", "q: ")
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert "query_prefix '', not 'q: '" in line
        assert "groundkit rebuild --embedder" in line
        assert "a second collection" in line
        assert status(hashed).embedding == before

    def test_both_choices_work(self, hashed: Path, docs: Path) -> None:
        options = ("--embedder", "hash", "--query-prefix", "q: ")
        assert run(hashed, "rebuild", *options).returncode == 0
        with Collection.open(index_dir=hashed) as collection:
            binding = collection._reader.read(lambda snapshot: snapshot.binding)
            assert collection.search("zebra").mode == "hybrid"
        assert binding is not None
        assert binding["identity"]["query_prefix"] == "q: "
        ingest(docs, index_dir=hashed, collection="second")
        assert run(hashed, "embed", "--collection", "second", *options).returncode == 0

    @pytest.mark.parametrize("command", ["embed", "rebuild"])
    def test_options_of_an_embedder_need_its_name(self, index_dir: Path, command: str) -> None:
        done = run(index_dir, command, "--model", "x", "--endpoint", "http://127.0.0.1")
        assert done.returncode == 2
        assert (
            "--embedder PROVIDER is missing, which --model, --endpoint belongs to." in done.stderr
        )


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """An index that is embedded in several portions."""
    folder = tmp_path / "large"
    folder.mkdir()
    for name in range(FILES):
        parts = [f"## Part {n}\n\nThe zebra of {name} and {n}." for n in range(SECTIONS)]
        (folder / f"{name}.md").write_text("\n\n".join(parts))
    ingest(folder, index_dir=tmp_path / "index")
    return tmp_path / "index"


def signalled(index_dir: Path, number: signal.Signals) -> tuple[int, str, str]:
    """Start embedding, and send a signal after the next portion is written."""
    manifest = CollectionPaths.of(index_dir, "default").current().slab / "slab.json"
    before = manifest.stat().st_ino if manifest.exists() else None
    command = words(index_dir, "embed", "--embedder", "hash", "--json")
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "groundkit_retrieval", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None:
        if manifest.exists() and manifest.stat().st_ino != before:
            break
        time.sleep(0.002)
    process.send_signal(number)
    output, errors = process.communicate(timeout=30)
    return process.returncode, output, errors


def test_embedding_goes_on_after_a_kill_and_an_interrupt(large: Path) -> None:
    total = status(large).chunks

    code, _, _ = signalled(large, signal.SIGKILL)
    assert code == -signal.SIGKILL
    killed = status(large).embedding
    assert 0 < killed.vectors < total
    assert killed.pending > 0
    assert examine(index_dir=large).healthy
    with Collection.open(index_dir=large) as collection:
        assert not collection.search("zebra of 3").coverage.degraded

    code, output, errors = signalled(large, signal.SIGINT)
    assert (code, errors) == (130, "groundkit: interrupted; what was done before stays\n")
    report = json.loads(output)
    assert report["interrupted"]
    # What the kill left is copied, also where it fell before the catalog heard of it.
    assert killed.vectors + report["embedded"] == report["vectors"] < total
    assert examine(index_dir=large).healthy

    rest = embed(index_dir=large)
    assert (rest.vectors, rest.pending) == (total, 0)
    assert rest.embedded == total - report["vectors"]
    assert examine(index_dir=large).healthy
