from __future__ import annotations

import groundkit_retrieval


def test_the_public_names_are_these() -> None:
    names = groundkit_retrieval.__all__
    assert names == ["Collection", "IngestOptions", "ingest", "list_collections"]
    assert all(hasattr(groundkit_retrieval, name) for name in names)
