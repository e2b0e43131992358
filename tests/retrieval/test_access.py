"""What a profile may not read does not exist for it, in every operation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from groundkit_core.access import Policy, PolicySource, Principal, parse_policy
from groundkit_core.errors import ChunkNotFoundError
from groundkit_index import IngestOptions, ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_retrieval import Collection
from groundkit_retrieval.access import Reader

_POLICY = """
version = 1
[profiles.hr]
classes = ["docs", "decisions"]
labels = ["people"]

[[rules]]
paths = ["secret/**"]
labels = ["people"]

[[rules]]
paths = ["notes/**"]
class = "memory"

[[identities]]
subject = "ann"
profile = "hr"
"""


@pytest.fixture(params=["lexical", "hybrid", "dense"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def index_dir(tmp_path: Path) -> Path:
    docs = tmp_path / "corpus"
    texts = {
        "guide/zebra.md": "# Zebra guide\n\nA zebra has stripes.\n",
        "secret/pay.md": "# Pay\n\nThe zebra keeper is paid by the week.\n",
        "notes/day.md": "# Day\n\nSaw a zebra today.\n",
        "guide/own.md": "---\naccess_labels: [people]\n---\n# Own\n\nThe zebra was ill.\n",
        "src/zebra.py": "def zebra() -> str:\n    return 'stripes'\n",
        "conf/zebra.toml": "zebra = 'striped'\n",
    }
    for name, text in texts.items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    ingest(docs, index_dir=tmp_path / "index", options=IngestOptions())
    embed(index_dir=tmp_path / "index", embedder=EmbedderSettings("hash"))
    return tmp_path / "index"


@pytest.fixture
def source(tmp_path: Path) -> PolicySource:
    path = tmp_path / "policy.toml"
    path.write_text(_POLICY)
    return PolicySource(path)


def _found(collection: Collection, mode: str, **options: Any) -> set[str]:
    response = collection.search("zebra", mode=mode, limit=20, **options)
    return {hit.citation.source for hit in response.results}


def test_each_reader_finds_what_the_profile_reads_and_nothing_else(
    index_dir: Path, source: PolicySource, mode: str
) -> None:
    with Collection.open(index_dir=index_dir) as whole:
        nobody = whole.as_seen_by(Reader(source))
        ann = whole.as_seen_by(Reader(source, Principal("ann")))
        engineer = whole.as_seen_by(Reader(source, profile="engineer"))
        auditor = whole.as_seen_by(Reader(source, profile="auditor"))
        assert _found(nobody, mode) == {"guide/zebra.md"}
        assert _found(ann, mode) == {"guide/zebra.md", "secret/pay.md", "guide/own.md"}
        assert _found(engineer, mode) == {"guide/zebra.md", "src/zebra.py"}
        assert _found(auditor, mode) == {"guide/zebra.md", "src/zebra.py", "notes/day.md"}
        assert _found(auditor, mode, source_class="config") == {"conf/zebra.toml"}
        assert _found(auditor, mode, source_class="memory") == {"notes/day.md"}
        assert len(_found(whole, mode)) == 5


def test_a_class_that_policy_withholds_is_denied_and_looks_like_nothing_found(
    index_dir: Path, source: PolicySource, mode: str
) -> None:
    with Collection.open(index_dir=index_dir) as whole:
        engineer = whole.as_seen_by(Reader(source, profile="engineer"))
        denied = engineer.search("zebra", mode=mode, source_class="config")
        empty = engineer.search("zebra", mode=mode, project="nonesuch")
    assert (denied.status, denied.reason) == ("NO_RELEVANT_CONTEXT", "acl_denied")
    assert denied.coverage.skipped["config"] == "not allowed by policy"
    assert denied.coverage.withheld == empty.coverage.withheld
    assert (empty.status, empty.reason) == ("NO_RELEVANT_CONTEXT", "no_results")


def test_what_may_not_be_read_is_unknown_by_id_name_and_count(
    index_dir: Path, source: PolicySource
) -> None:
    with Collection.open(index_dir=index_dir) as whole:
        hidden = next(
            hit for hit in whole.search("paid by the week", mode="lexical").results
        ).chunk_id
        nobody = whole.as_seen_by(Reader(source))
        for ask in (nobody.fetch, lambda name: nobody.verify([name])):
            with pytest.raises(ChunkNotFoundError) as of_hidden:
                ask(hidden)
            with pytest.raises(ChunkNotFoundError) as of_unknown:
                ask("0" * 24)
            assert str(of_hidden.value) == str(of_unknown.value)
        assert nobody.verify().checked == nobody.status().chunks == 1
        assert [entry.source for entry in nobody.sources().sources] == ["guide/zebra.md"]
        status = nobody.status()
        assert (status.documents, status.documents_by_class) == (1, {"docs": 1})
        assert (status.documents_digest, status.size_bytes) == (None, None)
        assert whole.status().documents == 6
        auditor = whole.as_seen_by(Reader(source, profile="auditor"))
        memory = auditor.sources(source_class="memory").sources
        assert [(entry.source, entry.source_class) for entry in memory] == [
            ("notes/day.md", "memory")
        ]


def test_the_next_query_honours_a_changed_policy_and_a_broken_one_closes(
    index_dir: Path, source: PolicySource, tmp_path: Path
) -> None:
    with Collection.open(index_dir=index_dir) as whole:
        ann = whole.as_seen_by(Reader(source, Principal("ann")))
        assert "secret/pay.md" in _found(ann, "lexical")
        (tmp_path / "policy.toml").write_text(_POLICY.replace('"ann"', '"ben"'))
        assert _found(ann, "lexical") == {"guide/zebra.md"}
        (tmp_path / "policy.toml").write_text("this is no policy")
        assert _found(ann, "lexical") == set()
        assert ann.status().documents == 0
        (tmp_path / "policy.toml").write_text(_POLICY)
        assert "secret/pay.md" in _found(ann, "lexical")


def test_a_page_is_filled_though_the_best_hundred_are_forbidden(tmp_path: Path, mode: str) -> None:
    docs = tmp_path / "many"
    (docs / "secret").mkdir(parents=True)
    for number in range(150):
        (docs / "secret" / f"{number}.md").write_text(f"# Zebra {number}\n\nzebra zebra {number}\n")
    for number in range(8):
        (docs / f"open{number}.md").write_text(
            f"# Open {number}\n\nOnce a zebra came by {number}.\n"
        )
    ingest(docs, index_dir=tmp_path / "filled", options=IngestOptions())
    embed(index_dir=tmp_path / "filled", embedder=EmbedderSettings("hash"))
    path = tmp_path / "p.toml"
    path.write_text('version = 1\n[[rules]]\npaths = ["secret/**"]\nlabels = ["x"]\n')
    with Collection.open(index_dir=tmp_path / "filled") as whole:
        nobody = whole.as_seen_by(Reader(PolicySource(path)))
        response = nobody.search("zebra", mode=mode, limit=8)
    assert len(response.results) == 8
    assert all(hit.citation.source.startswith("open") for hit in response.results)


def test_a_collection_that_a_profile_does_not_read_is_empty(index_dir: Path) -> None:
    text = 'version = 1\n[profiles.other]\nclasses = ["docs"]\ncollections = ["elsewhere"]\n'
    policy = parse_policy(text.encode(), "policy.toml")

    class Fixed(PolicySource):
        def current(self) -> Policy:
            return policy

    with Collection.open(index_dir=index_dir) as whole:
        other = whole.as_seen_by(Reader(Fixed(), profile="other"))
        assert _found(other, "lexical") == set()
        assert other.sources().total == other.status().documents == 0
