from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client.parser import text_string_to_metric_families
from tests.observed_work import work_of

from groundkit_mcp import ServiceContext
from groundkit_mcp.auth.settings import AuthSettings
from groundkit_mcp.auth.static import new_token

if TYPE_CHECKING:
    from tests.mcp.conftest import Answer
    from tests.mcp.http.conftest import Served

README = Path(__file__).parents[4] / "packages/mcp/README.md"


def samples(served: Served) -> dict[tuple[str, ...], float]:
    """Return value by name and label values, in the order of the labels' names."""
    answer = served.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_searches_and_refusals_are_counted(start_service: Callable[..., Served]) -> None:
    served = start_service()
    served.search("install the zebra engine")
    served.search("qqqqq wwwww")
    served.get("/v1/sources", headers={"host": "evil.example"})
    served.get("/no/such/path")
    served.client.post("/v1/search", json={"query": ""})
    found = samples(served)
    assert found["groundkit_requests_total", "search", "ok", "rest"] == 2
    assert found["groundkit_requests_total", "other", "route_not_found", "other"] == 1
    assert found["groundkit_searches_total", "ok"] == 1
    assert found["groundkit_searches_total", "no_results"] == 1
    assert found["groundkit_abstentions_total",] == 1
    assert found["groundkit_degraded_searches_total",] == 0
    assert found["groundkit_refusals_total", "unknown_host"] == 1
    assert found["groundkit_stage_seconds_count", "search", "whole"] == 3
    for stage in ("waited", "ran"):
        assert found["groundkit_stage_seconds_count", "search", stage] == 2
    assert found["groundkit_calls_in_flight",] == 0
    assert found["groundkit_calls_queued",] == 0


def test_collections_are_told_of_once_they_are_open(
    start_service: Callable[..., Served], service: ServiceContext
) -> None:
    served = start_service()
    served.search("zebra", params={})
    served.get("/v1/status?collection=nowhere")
    found = samples(served)
    named = {key[1] for key in found if key[0] == "groundkit_index_generation"}
    assert "default" in named
    assert named <= {"default", "guides"}
    assert found["groundkit_index_generation", "default"] >= 1
    assert found["groundkit_index_pending", "default"] == 0


def test_a_scrape_walks_no_folder(index_dir: Path) -> None:
    context = ServiceContext(index_dir)
    assert context.ready()
    work = work_of(context.generations)
    assert work.counts["statement"] > 0
    assert work.counts["file scandir"] + work.counts["file listdir"] == 0
    assert context.generations().keys() == {"default"}
    context.close()


def test_with_authentication_a_scraper_needs_its_own_scope(
    start_service: Callable[..., Served], tmp_path: Path
) -> None:
    made = {scope: new_token(scope, [scope]) for scope in ("metrics", "read")}
    (tmp_path / "tokens.toml").write_text("\n".join(lines for _, lines in made.values()))
    served = start_service(auth=AuthSettings(tokens=tmp_path / "tokens.toml"))
    bearer = {name: {"authorization": f"Bearer {token}"} for name, (token, _) in made.items()}
    assert served.get("/metrics").status_code == 401
    refused = served.get("/metrics", headers=bearer["read"])
    assert refused.status_code == 403
    assert 'scope="metrics"' in refused.headers["www-authenticate"]
    found = served.get("/metrics", headers=bearer["metrics"])
    assert found.status_code == 200
    assert 'groundkit_refusals_total{kind="insufficient_scope"} 1.0' in found.text
    assert 'groundkit_refusals_total{kind="unauthenticated"} 1.0' in found.text
    for path in ("/v1/sources", "/openapi.json"):
        assert served.get(path, headers=bearer["metrics"]).status_code == 403
    assert served.rpc("tools/list", **bearer["metrics"]).status_code == 403


def test_the_readme_names_every_metric(start_service: Callable[..., Served]) -> None:
    text = start_service().get("/metrics").text
    names = set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE))
    told = README.read_text(encoding="utf-8")
    for name in {name for name in names if not name.endswith("_created")}:
        assert f"`{name}`" in told


def test_status_tells_what_became_of_requests(
    service: ServiceContext, start_service: Callable[..., Served], ask: Callable[..., Answer]
) -> None:
    served = start_service()
    served.search("install the zebra engine")
    served.search("qqqqq wwwww")
    served.get("/v1/sources", headers={"host": "evil.example"})
    counted = {"searches": 2, "answered": 1, "abstained": 1, "degraded": 0, "refused": 1}
    assert served.get("/v1/status").json()["service"] == counted
    status = ask(service, "index_status")
    assert status.data["service"] == dict.fromkeys(counted, 0)
    assert "since the start: 0 searched, 0 answered" in status.text
