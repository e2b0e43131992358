"""The OpenAPI 3.1 document, rendered from the operation registry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel

from groundkit_mcp import __version__
from groundkit_mcp.failures import RULES
from groundkit_mcp.http.problems import MEDIA_TYPE
from groundkit_mcp.operations import Operation
from groundkit_mcp.operations.schemas import input_schema

Json = dict[str, Any]

_REF = "#/components/schemas/{model}"
_STATUSES = sorted({rule.status for rule in RULES.values()})
_PATH_PARAMETER = re.compile(r"{(\w+)}")
_FORMATS = {
    "chunk_id": "chunk-id",
    "collection": "name",
    "project": "name",
    "query": "visible-text",
}
"""Arguments with rules that a schema cannot express; generators of requests go by these names."""
_PROBLEM: Json = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail", "kind", "request_id"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong and what to do next."},
        "kind": {"type": "string", "description": "Stable; safe to branch on."},
        "request_id": {"type": "string", "description": "Names the request in the server's log."},
        "scope": {"type": "string", "description": "The scope that the token lacks."},
    },
}


def openapi(operations: Sequence[Operation], *, secured: bool) -> Json:
    """Return the document.

    Args:
        operations: what is offered.
        secured: whether requests need a bearer token.
    """
    schemas: Json = {"Problem": _PROBLEM}
    paths: Json = {}
    for operation in operations:
        rendered = _operation(operation, schemas, secured=secured)
        paths.setdefault(operation.path, {})[operation.method.lower()] = rendered
    components: Json = {"schemas": dict(sorted(schemas.items())), "responses": dict(_problems())}
    if secured:
        components["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "groundkit",
            "version": __version__,
            "description": (
                "Passages of documents, with citations that were checked against their source. "
                "Every operation only reads."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": components,
    }


def _operation(operation: Operation, schemas: Json, *, secured: bool) -> Json:
    rendered: Json = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": operation.summary,
        "parameters": list(_parameters(operation)),
        "responses": _responses(operation, schemas),
    }
    if operation.method == "POST":
        schema = _component(operation.input_model, "validation", schemas)
        for name, prop in schemas[operation.input_model.__name__]["properties"].items():
            prop |= _format(name)
        rendered["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    if secured:
        rendered["security"] = [{"bearer": [operation.scope]}]
    return rendered


def _format(argument: str) -> Json:
    return {"format": _FORMATS[argument]} if argument in _FORMATS else {}


def _parameters(operation: Operation) -> Iterator[Json]:
    in_path = _PATH_PARAMETER.findall(operation.path)
    schema = input_schema(operation.input_model)
    for name, prop in schema["properties"].items():
        if operation.method == "POST" and name not in in_path:
            continue
        shape = {key: value for key, value in prop.items() if key != "description"}
        shape |= _format(name)
        yield {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in in_path or name in schema["required"],
            "description": prop["description"],
            "schema": shape,
        }


def _responses(operation: Operation, schemas: Json) -> Json:
    schema = _component(operation.output_model, "serialization", schemas)
    done: Json = {
        "description": operation.summary,
        "headers": {"X-Request-Id": {"schema": {"type": "string"}}},
        "content": {"application/json": {"schema": schema}},
    }
    problems = {
        str(status): {"$ref": f"#/components/responses/{_name(status)}"} for status in _STATUSES
    }
    return {"200": done, **problems}


def _component(model: type[BaseModel], mode: Any, schemas: Json) -> Json:
    schema = model.model_json_schema(mode=mode, ref_template=_REF)
    found = {**schema.pop("$defs", {}), model.__name__: schema}
    for name, part in found.items():
        part["description"] = part.get("description", name).partition("\n")[0]
        schemas[name] = part
    return {"$ref": _REF.format(model=model.__name__)}


def _problems() -> Iterator[tuple[str, Json]]:
    content = {MEDIA_TYPE: {"schema": {"$ref": _REF.format(model="Problem")}}}
    for status in _STATUSES:
        yield _name(status), {"description": HTTPStatus(status).phrase, "content": content}


def _name(status: int) -> str:
    return re.sub(r"\W", "", HTTPStatus(status).phrase.title())
