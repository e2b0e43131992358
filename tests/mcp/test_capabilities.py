"""The resource says what the registry offers."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_mcp import OPERATIONS

if TYPE_CHECKING:
    from tests.mcp.conftest import Caller

URI = "groundkit://capabilities"


def test_the_resource_is_listed_and_read_as_json(caller: Caller) -> None:
    (resource,) = caller.do(caller.session.list_resources).resources
    assert (str(resource.uri), resource.mime_type) == (URI, "application/json")
    (content,) = caller.do(caller.session.read_resource, URI).contents
    found = json.loads(content.text)
    assert found["name"] == "groundkit"
    assert found["versions"]["groundkit-mcp"] == version("groundkit-mcp")
    assert found["transports"] == ["stdio"]
    assert found["source_classes"] == list(SOURCE_CLASSES)
    assert found["confidence_values"] == ["high", "medium", "low"]
    assert found["controls"]["read_only"] is True


def test_operations_tools_and_registry_agree(caller: Caller) -> None:
    (content,) = caller.do(caller.session.read_resource, URI).contents
    described = json.loads(content.text)["operations"]
    tools = {tool.name: tool for tool in caller.do(caller.session.list_tools).tools}
    assert [entry["name"] for entry in described] == [o.name for o in OPERATIONS]
    assert set(tools) == {o.name for o in OPERATIONS}
    for entry, operation in zip(described, OPERATIONS, strict=True):
        assert entry["input_schema"] == operation.input_model.__name__
        assert entry["output_schema"] == operation.output_model.__name__
        assert (entry["method"], entry["path"]) == (operation.method, operation.path)
        assert tools[operation.name].description == operation.description


def test_stated_limits_are_those_of_the_schemas(caller: Caller) -> None:
    (content,) = caller.do(caller.session.read_resource, URI).contents
    limits = json.loads(content.text)["limits"]
    tools = {
        t.name: t.input_schema["properties"] for t in caller.do(caller.session.list_tools).tools
    }
    assert tools["search"]["limit"]["maximum"] == limits["search_results"] == 20
    assert tools["search"]["limit"]["minimum"] == 1
    assert tools["fetch_chunk"]["context"]["maximum"] == limits["context_lines"]
    assert tools["list_sources"]["limit"]["maximum"] == limits["page_entries"]
    assert tools["search"]["project"]["maxLength"] == limits["name_characters"]
    assert tools["search"]["mode"]["enum"] == ["hybrid", "lexical", "dense"]
    assert tools["search"]["source_class"]["enum"] == [*SOURCE_CLASSES, "all"]


def test_paths_and_names_are_unique() -> None:
    assert len({o.name for o in OPERATIONS}) == len(OPERATIONS)
    assert len({(o.method, o.path) for o in OPERATIONS}) == len(OPERATIONS)
    assert all(o.path.startswith("/v1/") for o in OPERATIONS)
