"""JSON schemas that tool-calling models and strict clients understand alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

JsonSchema = dict[str, Any]


def describe(**properties: JsonSchema) -> Callable[[JsonSchema], None]:
    """Return a pydantic `json_schema_extra` that adds to the named properties."""

    def extend(schema: JsonSchema) -> None:
        for name, extra in properties.items():
            schema["properties"][name].update(extra)

    return extend


def input_schema(model: type[BaseModel]) -> JsonSchema:
    """Return the schema of arguments: flat properties, no unions, no references.

    An optional argument is one that may be left out; `null` is accepted but not advertised.
    """
    schema = model.model_json_schema()
    properties = {name: _flat(prop) for name, prop in schema["properties"].items()}
    return {
        "type": "object",
        "properties": properties,
        "required": schema.get("required", []),
        "additionalProperties": False,
    }


def output_schema(model: type[BaseModel]) -> JsonSchema:
    """Return the schema of a result, described by the first lines of the docstrings."""
    schema = model.model_json_schema(mode="serialization")
    for part in (schema, *schema.get("$defs", {}).values()):
        part["description"] = part["description"].partition("\n")[0]
    return schema


def _flat(prop: JsonSchema) -> JsonSchema:
    prop = {key: value for key, value in prop.items() if key != "title"}
    branches = [b for b in prop.pop("anyOf", []) if b.get("type") != "null"]
    if prop.get("default", "") is None:
        del prop["default"]
    if len(branches) == 1:
        return {**branches[0], **prop}
    if branches:
        values = [value for b in branches for value in b.get("enum", [b.get("const")])]
        return {"type": branches[0]["type"], "enum": values, **prop}
    return prop
