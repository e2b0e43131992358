from __future__ import annotations

import importlib
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.eval.synthetic import drawn, made_result

from groundkit_eval import EvaluationResult, ResultError
from groundkit_eval.report.notebook import query_rows, stage_rows


@pytest.fixture
def result() -> EvaluationResult:
    base = drawn(12, seed=1)
    return made_result({"baseline": base, "<b>lexical</b>": base}, unanswerable=4)


class Cells(HTMLParser):
    """Gathers the texts of a table's rows."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in {"th", "td"}:
            self.rows[-1].append("")
        assert tag in {"table", "caption", "thead", "tbody", "tr", "th", "td"}

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def test_a_notebook_shows_a_small_table(result: EvaluationResult) -> None:
    cells = Cells()
    shown = result._repr_html_()
    cells.feed(shown)
    assert "16 queries (12 answerable, 4 not)" in shown
    assert cells.rows[0][:3] == ["stage", "recall@5", "nDCG@10"]
    assert [row[0] for row in cells.rows[1:]] == ["baseline", "<b>lexical</b>", "vs baseline"]
    assert len({len(row) for row in cells.rows}) == 1


def test_rows_of_stages_and_of_queries(result: EvaluationResult) -> None:
    stages = stage_rows(result)
    assert [row["stage"] for row in stages] == ["baseline", "<b>lexical</b>"]
    assert stages[0]["ndcg@10"] == result.stages[0].measures["ndcg@10"]
    assert (stages[0]["abstained"], stages[0]["p95_ms"]) == (0.5, 4.8)
    queries = query_rows(result)
    assert len(queries) == 2 * 16
    assert queries[0]["answerable"]
    assert queries[0]["ndcg@10"] == result.queries[0].stages["baseline"].measures["ndcg@10"]
    assert not queries[-1]["answerable"]
    assert "ndcg@10" not in queries[-1]


def test_data_frames_hold_these_rows(result: EvaluationResult) -> None:
    pytest.importorskip("pandas", reason="pandas comes with groundkit-eval[notebook]")
    stages = result.to_frame()
    assert list(stages.index) == ["baseline", "<b>lexical</b>"]
    assert stages.loc["baseline", "ndcg@10"] == result.stages[0].measures["ndcg@10"]
    queries = result.to_frame("queries")
    assert queries.shape[0] == 32
    answer = result.queries[3].stages["baseline"]
    assert queries.loc[(result.queries[3].id, "baseline"), "ndcg@10"] == answer.measures["ndcg@10"]


def test_without_pandas_the_error_says_how_to_have_it(
    result: EvaluationResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.import_module

    def without(name: str, package: str | None = None) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(ResultError, match=r"groundkit-eval\[notebook\]"):
        result.to_frame()
