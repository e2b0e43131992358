"""Callers who want more than their profile reads."""

from __future__ import annotations

import pytest
from tests.mcp.http.attacks.deployed import Deployed, hits


@pytest.mark.parametrize("claim", ["profile", "groundkit/profile", "tenant", "principal", "sub"])
def test_an_identity_that_a_caller_claims_for_itself_changes_nothing(
    deployed: Deployed, claim: str
) -> None:
    plain = deployed.tool("search", query="zebra okapi")["structuredContent"]
    meta = deployed.tool("search", meta={claim: "auditor"}, query="zebra okapi")
    assert meta["structuredContent"]["results"] == plain["results"]
    named = {"x-groundkit-profile": "auditor", claim.replace("/", "-"): "auditor"}
    claimed = deployed.client.post(
        "/v1/search", json={"query": "zebra okapi"}, headers={**deployed.bearer(), **named}
    )
    assert hits(claimed) == plain["results"]
    assert deployed.search("zebra", **{claim: "auditor"}).status_code == 422
    assert deployed.tool("search", query="zebra", **{claim: "auditor"})["isError"] is True
    assert deployed.get(f"/v1/sources?{claim}=auditor").status_code == 422


def test_a_class_that_policy_withholds_has_the_shape_of_nothing_found(deployed: Deployed) -> None:
    denied = deployed.search("gnu", source_class="config").json()
    empty = deployed.search("gnu", source_class="code").json()
    assert (denied["status"], denied["reason"]) == ("NO_RELEVANT_CONTEXT", "acl_denied")
    assert (empty["status"], empty["reason"]) == ("NO_RELEVANT_CONTEXT", "no_results")
    assert denied.keys() == empty.keys()
    assert denied["coverage"].keys() == empty["coverage"].keys()
    assert denied["coverage"]["withheld"] == empty["coverage"]["withheld"]
    text = deployed.tool("search", query="gnu", source_class="config")["content"][0]["text"]
    assert "app.toml" not in text
    assert "gnu" not in text.replace("'gnu'", "").replace('"gnu"', "")


def test_an_auditor_gets_config_by_name_only(deployed: Deployed) -> None:
    everything = {hit["citation"]["source"] for hit in hits(deployed.search("zebra", "bob"))}
    named = hits(deployed.search("zebra", "bob", source_class="config"))
    assert everything == {"guide.md"}
    assert [hit["citation"]["source"] for hit in named] == ["conf/app.toml"]


def test_no_answer_names_or_counts_what_is_hidden(deployed: Deployed) -> None:
    answers = [
        deployed.search("okapi fund keeper"),
        deployed.search("payroll okapi", collection="nowhere"),
        deployed.get("/v1/collections"),
        deployed.get("/v1/sources?limit=100"),
        deployed.get("/v1/status"),
        deployed.get("/v1/status?collection=payrol"),
        deployed.get(f"/v1/chunks/{'0' * 24}?collection=nowhere"),
        deployed.get("/openapi.json"),
    ]
    for answer in answers:
        text = answer.text.replace("payroll okapi", "").replace("okapi fund keeper", "")
        for hidden in ("payroll", "hr/pay", "okapi", "app.toml", "people"):
            assert hidden not in text
    status = answers[4].json()["status"]
    assert status["documents"] == sum(status["documents_by_class"].values()) == 4
    assert answers[3].json()["total"] == 4
