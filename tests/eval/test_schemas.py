from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from tests.eval.synthetic import drawn, made_result, moved

from groundkit_eval import EvaluationResult, load_result
from groundkit_eval.comparison import compare
from groundkit_eval.schemas import NAMES, published, schema_text


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(published(name).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_published_schema_is_current(name: str) -> None:
    text = published(name).read_text(encoding="utf-8")
    assert text == schema_text(name), f"groundkit-eval schema {name} > {published(name).name}"


@pytest.mark.parametrize("name", NAMES)
def test_the_published_schema_is_a_schema_and_is_named_for_its_version(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    constant = schema(name)["properties"]["schema"]["const"]
    assert published(name).name == f"{constant.replace('/', '-')}.json"


def test_a_result_fits_its_schema_and_one_with_a_field_more_does_not(result_json: str) -> None:
    result = json.loads(result_json)
    jsonschema.validate(result, schema("result"))
    with pytest.raises(jsonschema.ValidationError, match="surplus"):
        jsonschema.validate({**result, "surplus": 1}, schema("result"))


def test_a_comparison_fits_its_schema() -> None:
    base = drawn(30, seed=1)
    after = made_result({"baseline": base, "lexical": moved(base, 0.5, -0.2, seed=2)})
    found = compare(made_result({"baseline": base, "lexical": base}), after)
    jsonschema.validate(json.loads(found.to_json()), schema("comparison"))


def test_a_result_of_the_first_schema_is_still_read(result_json: str, tmp_path: Path) -> None:
    old = json.loads(result_json)
    old["schema"] = "groundkit-eval/1"
    del old["passages"]
    for latency in old["timings"]["stages"].values():
        del latency["queries_ms"]
    for stage in old["stages"]:
        for field in ("matched", "citations"):
            del stage[field]
        for field in ("answered_at", "reliability"):
            del stage["abstention"][field]
    for query in old["queries"]:
        for gold in query["gold"]:
            for field in ("grade", "alternatives", "excerpt"):
                del gold[field]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old), encoding="utf-8")
    read = load_result(path)
    new = EvaluationResult.model_validate_json(result_json)
    assert [stage.measures for stage in read.stages] == [stage.measures for stage in new.stages]
    assert read.passages == {}


def test_the_timings_are_one_last_line_and_nothing_else_differs_from_run_to_run(
    result_json: str,
) -> None:
    lines = result_json.splitlines()
    assert lines[-2].startswith(' "timings": {')
    assert lines[-1] == "}"
    assert "_ms" not in "".join(lines[:-2])


def test_passages_and_gold_are_kept_in_short(result_json: str) -> None:
    result = EvaluationResult.model_validate_json(result_json)
    best = {
        place.chunk_id
        for query in result.queries
        for answer in query.stages.values()
        for place in answer.ranked[:3]
    }
    assert set(result.passages) == best
    assert list(result.passages) == sorted(best)
    assert all(0 < len(text.excerpt) <= 300 for text in result.passages.values())
    assert any(text.heading == "Retries > Backoff" for text in result.passages.values())
    (gold,) = next(query.gold for query in result.queries if query.id == "retry-delay")
    assert gold.excerpt == "after thirty seconds"
