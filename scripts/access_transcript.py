"""Writes into docs/security.md what two profiles are answered to the same question."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from groundkit_core.access import PolicySource
from groundkit_index import ingest
from groundkit_retrieval import Collection
from groundkit_retrieval.access import Reader

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = REPOSITORY / "docs" / "security.md"
_BLOCK = re.compile(r"(<!-- access:begin -->\n).*?(<!-- access:end -->)", re.DOTALL)
_QUERY = "lessons of an incident with the clock"
_ASKED = (("engineer", "all"), ("auditor", "all"), ("engineer", "memory"), ("auditor", "config"))


def transcript() -> str:
    """Return the answers of both profiles over the corpus of the evaluation."""
    lines = []
    with tempfile.TemporaryDirectory() as scratch:
        ingest(REPOSITORY / "evals" / "corpus", index_dir=Path(scratch))
        with Collection.open(index_dir=Path(scratch)) as whole:
            for profile, asked in _ASKED:
                seen = whole.as_seen_by(Reader(PolicySource(), profile=profile))
                response = seen.search(_QUERY, limit=4, source_class=asked, mode="lexical")
                lines.append(f"{profile}, class {asked}: {response.status}")
                if response.reason:
                    lines.append(f"  reason: {response.reason}")
                lines += [
                    f"  {hit.citation.source_class:9}  {hit.citation.link}"
                    for hit in response.results
                ]
                lines.append(f"  not searched: {response.coverage.skipped}")
    return "\n".join(lines)


def main() -> None:
    """Update the page."""
    text = PAGE.read_text(encoding="utf-8")
    block = f"```text\n{transcript()}\n```\n"
    PAGE.write_text(_BLOCK.sub(lambda match: match[1] + block + match[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
