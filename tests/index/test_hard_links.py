from __future__ import annotations

import os
from pathlib import Path

from groundkit_index import ingest


def test_a_hard_link_to_elsewhere_is_refused_and_links_within_the_root_are_taken(
    tmp_path: Path,
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# One\n\nfirst text\n")
    os.link(docs / "a.md", docs / "twin.md")
    outside = tmp_path / "private.md"
    outside.write_text("# Private\n\nsecond text\n")
    os.link(outside, docs / "b.md")
    report = ingest(docs, index_dir=tmp_path / "index")
    assert report.documents.added == 2
    assert [(refusal.source, refusal.reason) for refusal in report.refusals] == [
        ("b.md", "hard_link: 2 names")
    ]
