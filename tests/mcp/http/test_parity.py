"""The registry, REST, OpenAPI and MCP offer the same, checked in both directions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_pydantic import OpenAPI
from referencing import Registry, Resource
from starlette.routing import Route

from groundkit_mcp import OPERATIONS, Operation, ServiceContext
from groundkit_mcp.http import HttpSettings, build_app
from groundkit_mcp.operations.schemas import input_schema

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Guarded, Served


@pytest.fixture(scope="module")
def document(open_service: Served) -> dict[str, Any]:
    answer = open_service.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    found: dict[str, Any] = answer.json()
    return found


def declared() -> set[tuple[str, str, str]]:
    return {(o.name, o.method, o.path) for o in OPERATIONS}


def test_rest_routes_are_the_operations() -> None:
    routes = build_app(ServiceContext("none"), HttpSettings()).routes
    found = set()
    for route in routes:
        assert isinstance(route, Route)
        if route.path.startswith("/v1"):
            (method,) = set(route.methods or ()) - {"HEAD"}
            found.add((route.name, method, route.path))
    assert found == declared()


def test_documented_operations_are_the_operations(document: dict[str, Any]) -> None:
    found = {
        (entry["operationId"], method.upper(), path)
        for path, item in document["paths"].items()
        for method, entry in item.items()
    }
    assert found == declared()


def test_tools_are_the_operations(open_service: Served) -> None:
    tools = open_service.rpc("tools/list").json()["result"]["tools"]
    assert {tool["name"] for tool in tools} == {name for name, _, _ in declared()}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
def test_arguments_are_the_same_everywhere(
    document: dict[str, Any], open_service: Served, operation: Operation
) -> None:
    entry = document["paths"][operation.path][operation.method.lower()]
    names = {parameter["name"] for parameter in entry["parameters"]}
    if operation.method == "POST":
        reference = entry["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        names |= set(resolved(document, reference)["properties"])
    tools = open_service.rpc("tools/list").json()["result"]["tools"]
    (tool,) = (tool for tool in tools if tool["name"] == operation.name)
    assert names == set(tool["inputSchema"]["properties"])
    assert names == set(input_schema(operation.input_model)["properties"])
    in_path = {p["name"] for p in entry["parameters"] if p["in"] == "path"}
    assert in_path == set(re.findall(r"{(\w+)}", operation.path))


def resolved(document: dict[str, Any], reference: str) -> Any:
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    OpenAPI.model_validate(document)
    assert document["openapi"] == "3.1.0"
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
        assert "$defs" not in schema
    for reference in re.findall(r"'\$ref': '([^']+)'", repr(document)):
        assert resolved(document, reference)
    assert "security" not in repr(document)


def test_a_secured_service_documents_the_scopes(guarded: Guarded) -> None:
    found = guarded.get("/openapi.json", headers=guarded.bearer("read")).json()
    OpenAPI.model_validate(found)
    for operation in OPERATIONS:
        entry = found["paths"][operation.path][operation.method.lower()]
        assert entry["security"] == [{"bearer": [operation.scope]}]


def answers(open_service: Served) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return what each operation answers over REST, and the arguments that it was given."""
    found = open_service.search("zebra engine").json()
    chunk_id = found["results"][0]["chunk_id"]
    return {
        "search": (found, {"query": "zebra engine"}),
        "fetch_chunk": (
            open_service.get(f"/v1/chunks/{chunk_id}?context=2").json(),
            {"chunk_id": chunk_id, "context": 2},
        ),
        "list_collections": (open_service.get("/v1/collections?limit=1").json(), {"limit": 1}),
        "list_sources": (
            open_service.get("/v1/sources?limit=2&offset=1").json(),
            {"limit": 2, "offset": 1},
        ),
        "index_status": (
            open_service.get("/v1/status?collection=guides").json(),
            {"collection": "guides"},
        ),
    }


def without_times(found: Any) -> Any:
    # The counts of the service go on between two calls.
    if isinstance(found, dict):
        return {
            name: without_times(v)
            for name, v in found.items()
            if name not in ("took_ms", "service")
        }
    return [without_times(item) for item in found] if isinstance(found, list) else found


def test_answers_are_the_same_on_rest_and_mcp_and_as_documented(
    open_service: Served, document: dict[str, Any]
) -> None:
    registry: Registry[Any] = Registry().with_resource(
        "urn:doc",
        Resource.opaque(document),
    )
    found = answers(open_service)
    assert set(found) == {o.name for o in OPERATIONS}
    for operation in OPERATIONS:
        answer, arguments = found[operation.name]
        call = {"name": operation.name, "arguments": arguments}
        result = open_service.rpc("tools/call", call).json()["result"]
        assert without_times(result["structuredContent"]) == without_times(answer)
        entry = document["paths"][operation.path][operation.method.lower()]
        schema = entry["responses"]["200"]["content"]["application/json"]["schema"]
        whole = {"$ref": f"urn:doc{schema['$ref']}"}
        Draft202012Validator(whole, registry=registry).validate(answer)


def test_problems_are_as_documented(open_service: Served, document: dict[str, Any]) -> None:
    answer = open_service.get("/v1/sources?limit=x")
    entry = document["paths"]["/v1/sources"]["get"]["responses"][str(answer.status_code)]
    content = resolved(document, entry["$ref"])["content"]
    schema = content[answer.headers["content-type"]]["schema"]
    Draft202012Validator(resolved(document, schema["$ref"])).validate(answer.json())
