"""Search results and single passages."""

from __future__ import annotations

from collections.abc import Mapping

from groundkit_core.contracts import (
    Citation,
    Coverage,
    Passage,
    SearchHit,
)
from groundkit_mcp.inline import one_line, place, quoted
from groundkit_mcp.operations.outputs import SearchPage
from groundkit_mcp.rendering.fence import fenced, legend
from groundkit_mcp.rendering.view import View, plural

MOST_DUPLICATES = 3

_ABSENCE = {
    "no_results": "no passage bears on the query",
    "strict_blocked_low": "strict confidence withholds what was found: its confidence is low",
    "strict_blocked_unverified": "strict confidence withholds what was found: it did not verify",
    "acl_denied": "nothing that may be shown bears on the query",
    "plane_failed": "the search could not be carried out, so this says nothing of the documents",
    None: "nothing was found",
}
_TOO_LONG = "no passage that was found fits into one answer; open the first at"


def search_text(response: SearchPage, mark: str) -> str:
    """Return a search response as text: every passage once, fenced, with its citation."""
    lines = _opening(response, mark)
    for hit in response.results:
        lines += ["", _heading(hit), *fenced(hit.content, f"passage {hit.rank}", mark)]
        lines += _duplicates(hit)
    notable = [*_coverage(response.coverage), *_left_out(response)]
    if not response.results:
        notable += _named(response.coverage.skipped, "not searched")
    return "\n".join([*lines, "", *notable] if notable else lines)


def smaller_search(response: SearchPage) -> SearchPage | None:
    """Return the response with fewer duplicates listed, else without its last passage."""
    if any(len(hit.duplicates) > MOST_DUPLICATES for hit in response.results):
        return _with_few_duplicates(response)
    if not response.results:
        return None
    coverage = response.coverage
    count = coverage.withheld.over_budget + 1
    withheld = coverage.withheld.model_copy(update={"over_budget": count})
    update: dict[str, object] = {"withheld": withheld}
    if len(response.results) == 1:
        note = f"{_TOO_LONG} {place(response.results[0].citation.link)}"
        update["notes"] = (*coverage.notes, note)
    return response.with_only(response.results[:-1], coverage.model_copy(update=update))


def passage_text(passage: Passage, mark: str) -> str:
    """Return a passage as text, with the lines around it in fences of their own."""
    lines = [_cited(passage.citation), legend(mark)]
    for label, content in (
        ("lines before", passage.before),
        ("passage", passage.content),
        ("lines after", passage.after),
    ):
        if content:
            lines += fenced(content, label, mark)
    return "\n".join(lines)


def smaller_passage(passage: Passage) -> Passage | None:
    """Return the passage with half of the lines around it, those that are nearest."""
    before = passage.before.splitlines(keepends=True)
    after = passage.after.splitlines(keepends=True)
    if not before and not after:
        return None
    nearest = before[len(before) - len(before) // 2 :]
    return passage.model_copy(
        update={"before": "".join(nearest), "after": "".join(after[: len(after) // 2])}
    )


SEARCH = View(search_text, smaller_search)
PASSAGE = View(passage_text, smaller_passage)


def _opening(response: SearchPage, mark: str) -> list[str]:
    collection = place(response.metadata.collection)
    if response.status == "NO_RELEVANT_CONTEXT":
        reason = _ABSENCE[response.reason]
        return [f"NO_RELEVANT_CONTEXT ({response.reason}) in collection {collection}: {reason}."]
    found = plural(len(response.results), "passage")
    return [f"{found} from collection {collection}, best first.", legend(mark)]


def _heading(hit: SearchHit) -> str:
    return f"{hit.rank}. {_cited(hit.citation)} | confidence {hit.confidence}"


def _cited(citation: Citation) -> str:
    parts = [place(citation.link)]
    if citation.page is not None:
        parts.append(f"page {citation.page}")
    if citation.place:
        parts.append(one_line(citation.place, 100))
    if citation.heading_path:
        parts.append(" > ".join(map(quoted, citation.heading_path)))
    parts += [citation.verification, f"chunk_id {place(citation.chunk_id)}"]
    return " | ".join(parts)


def _duplicates(hit: SearchHit) -> list[str]:
    places = [f"{place(c.link)} ({c.verification})" for c in hit.duplicates]
    return [f"same passage at: {', '.join(places)}"] if places else []


def _with_few_duplicates(response: SearchPage) -> SearchPage:
    hits = tuple(
        hit.model_copy(update={"duplicates": hit.duplicates[:MOST_DUPLICATES]})
        for hit in response.results
    )
    note = f"passages that stand in many places list only {MOST_DUPLICATES} more of them"
    coverage = response.coverage
    noted = coverage.model_copy(update={"notes": (*coverage.notes, note)})
    return response.model_copy(update={"results": hits, "coverage": noted})


def _coverage(coverage: Coverage) -> list[str]:
    lines = [f"note: {one_line(note)}" for note in coverage.notes]
    lines += _named(coverage.failed, "failed")
    withheld = coverage.withheld
    for count, reason in (
        (withheld.unverified, "the citation did not verify"),
        (withheld.low_confidence, "the confidence is low"),
    ):
        if count:
            lines.append(f"withheld: {plural(count, 'passage')}, {reason}")
    return lines


def _left_out(response: SearchPage) -> list[str]:
    count = response.coverage.withheld.over_budget
    if not count:
        return []
    cursor = response.next_cursor
    advice = f"ask the same with cursor {cursor}" if cursor else "ask for less at a time"
    return [f"withheld: {plural(count, 'passage')}, the answer would be too long; {advice}"]


def _named(reasons: Mapping[str, str], label: str) -> list[str]:
    return [f"{label}: {one_line(f'{name}: {reason}')}" for name, reason in reasons.items()]
