from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.eval.synthetic import drawn, made_result, moved

from groundkit_eval.comparison import compare
from groundkit_eval.gates import check_gates, parse_gate
from groundkit_eval.report.html import page, to_html
from groundkit_eval.report.html.risk import risk_coverage
from groundkit_eval.report.html.svg import Scale
from groundkit_eval.results import EvaluationResult, PassageText

BASE = drawn(60, seed=1)
VOID = {"meta", "link", "br", "img", "input", "hr"}
HOSTILE = '</script><script>alert(1)</script><img src="https://evil.example/x" onerror="x()">'


class Page(HTMLParser):
    """A page that is well-formed: every element is closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag == name]


def result(shift: float = 0.0, number: int = 60, unanswerable: int = 20) -> EvaluationResult:
    base = drawn(number, seed=1)
    lexical, hybrid = moved(base, 0.4, shift, seed=2), moved(base, 0.4, 0.1, seed=3)
    stages = {"baseline": base, "lexical": lexical, "hybrid": hybrid}
    return made_result(stages, unanswerable=unanswerable)


def compared(shift: float = -0.3, number: int = 60, unanswerable: int = 20) -> str:
    before, after = (result(by, number, unanswerable) for by in (0.0, shift))
    found = compare(before, after)
    gates = check_gates([parse_gate("ndcg@10>=-0.01")], found)
    return to_html(after, before, found, gates)


def test_the_page_loads_nothing() -> None:
    shown = compared()
    assert not re.search(r"(?:https?:)?//|url\(|@import|<link|<img|<iframe", shown)
    (policy,) = (meta for meta in Page(shown).all("meta") if "http-equiv" in meta)
    assert (policy["content"] or "").startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in shown
    assert not re.search(r"<[a-z]+ [^>]*\b(style|on[a-z]+)=", shown)


def test_every_plot_and_table_is_there_and_told_to_who_cannot_see_it() -> None:
    shown = Page(compared())
    figures = [attributes["id"] for attributes in shown.all("figure")]
    assert figures == [
        "categories-figure",
        "scatter-0",
        "scatter-1",
        "risk-figure",
        "latency-figure",
    ]
    ids = [attributes["id"] for _, attributes in shown.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    drawings = [svg for svg in shown.all("svg") if svg.get("role") == "img"]
    assert len(drawings) == len(figures)
    for svg in drawings:
        assert {svg["aria-labelledby"], svg["aria-describedby"]} <= set(ids)
    others = [svg for svg in shown.all("svg") if svg.get("role") != "img"]
    assert all(svg.get("aria-hidden") == "true" for svg in others)
    assert len(shown.all("caption")) == len(shown.all("table")) == 5
    assert all("scope" in head for head in shown.all("th"))
    assert shown.all("html") == [{"lang": "en"}]
    assert next(tag for tag, _ in shown.elements if re.fullmatch("h[1-6]", tag)) == "h1"


def test_links_within_the_page_lead_somewhere() -> None:
    shown = Page(compared())
    ids = {attributes.get("id") for _, attributes in shown.elements}
    for link in shown.all("a"):
        assert (link["href"] or "").removeprefix("#") in ids


def test_the_verdict_and_the_gates_come_first() -> None:
    shown = compared()
    assert "Against the baseline: 1 gate failed; 1 significant loss, no gains." in shown
    assert '<div class="verdict failed">' in shown
    assert shown.index('id="gates"') < shown.index('id="stages"')
    kept = compared(shift=0.0)
    assert "Against the baseline: all gates kept; no significant losses, no gains." in kept
    assert "verdict failed" not in kept


def test_a_result_alone_is_compared_with_its_first_stage() -> None:
    shown = to_html(result())
    assert "Against baseline: " in shown
    assert "lexical against baseline" in shown
    alone = to_html(made_result({"theirs": BASE}))
    assert "Against" not in alone
    assert Page(alone).all("figure")[0]["id"] == "categories-figure"


def test_without_unanswerable_queries_or_latencies_their_plots_are_left_out() -> None:
    made = result(unanswerable=0)
    queries = tuple(
        query.model_copy(
            update={
                "stages": {
                    name: answer.model_copy(update={"probability": None})
                    for name, answer in query.stages.items()
                }
            }
        )
        for query in made.queries
    )
    stages = {
        name: latency.model_copy(update={"queries_ms": ()})
        for name, latency in made.timings.stages.items()
    }
    timings = made.timings.model_copy(update={"stages": stages})
    bare = made.model_copy(update={"queries": queries, "timings": timings})
    figures = {attributes["id"] for attributes in Page(to_html(bare)).all("figure")}
    assert figures == {"categories-figure", "scatter-0", "scatter-1"}


def test_a_page_of_2910_queries_is_under_a_megabyte() -> None:
    number = 1_900
    base = drawn(number, seed=1)
    names = ("lexical", "dense", "hybrid", "lexical+rerank", "hybrid+rerank")
    before, after = (
        long(
            made_result(
                {
                    "baseline": base,
                    **{name: moved(base, 0.4, by, seed) for seed, name in enumerate(names)},
                },
                unanswerable=1_010,
            )
        )
        for by in (0.0, -0.2)
    )
    shown = to_html(after, before, compare(before, after))
    assert 100_000 < len(shown.encode()) < 1_000_000
    assert "300 of 1900" in shown


def long(result: EvaluationResult) -> EvaluationResult:
    """Return the result with texts as long as they may be."""
    texts = {key: PassageText(heading="H" * 80, excerpt="漢" * 300) for key in result.passages}
    queries = (q.model_copy(update={"query": f"{q.query} {'w' * 480}"}) for q in result.queries)
    return result.model_copy(update={"passages": texts, "queries": tuple(queries)})


def test_texts_of_a_corpus_cannot_become_markup() -> None:
    made = made_result({"baseline": BASE, HOSTILE: moved(BASE, 0.4, -0.2, seed=2)})
    texts = {key: PassageText(heading=HOSTILE, excerpt=HOSTILE) for key in made.passages}
    queries = tuple(
        query.model_copy(update={"query": HOSTILE, "category": HOSTILE}) for query in made.queries
    )
    categories = {HOSTILE: len(queries)}
    stages = tuple(
        stage.model_copy(update={"categories": {HOSTILE: stage.measures}}) for stage in made.stages
    )
    made = made.model_copy(
        update={
            "passages": texts,
            "queries": queries,
            "stages": stages,
            "judgments": made.judgments.model_copy(update={"categories": categories}),
        }
    )
    shown = Page(to_html(made))
    assert len(shown.all("script")) == 1
    assert shown.all("img") == []
    assert any(HOSTILE in text for text in shown.text)


def test_equal_results_give_equal_bytes() -> None:
    assert compared() == compared()


def test_risk_falls_with_the_queries_that_the_gate_withholds() -> None:
    made = result()
    curve = risk_coverage(made, "lexical")
    coverages = [coverage for coverage, _ in curve]
    assert coverages == sorted(set(coverages))
    wrong = sum(
        not (query.answerable and query.stages["lexical"].first_relevant_rank)
        for query in made.queries
    )
    assert curve[-1] == (1.0, wrong / 80)
    assert curve[0][1] < curve[-1][1]


def test_scales_map_linearly_or_by_ratio_and_keep_within_their_ends() -> None:
    linear, by_ratio = Scale(0, 1, 10, 110), Scale(1, 100, 0, 10, logarithmic=True)
    assert [linear.at(x) for x in (-1, 0, 0.5, 1, 2)] == [10, 10, 60, 110, 110]
    assert [by_ratio.at(x) for x in (0.1, 1, 10, 100)] == [0, 0, 5, 10]


def colours(scheme: str) -> dict[str, str]:
    style = (Path(page.__file__).parent / "page.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", dark if scheme == "dark" else light))


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_have_the_contrast_of_wcag_aa(scheme: str) -> None:
    found = colours(scheme)
    for ground in ("page", "panel"):
        for text in ("ink", "soft", "link", "good", "bad"):
            assert contrast(found[text], found[ground]) >= 4.5, (text, ground)
    for series in (name for name in found if re.fullmatch(r"s\d", name)):
        assert contrast(found[series], found["page"]) >= 3, series
