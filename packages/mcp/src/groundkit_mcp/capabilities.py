"""What the service can do, for programs: the content of `groundkit://capabilities`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, get_args

from groundkit_core.contracts import (
    SOURCE_CLASSES,
    AbsenceReason,
    Confidence,
    ConfidencePolicy,
    Verdict,
)
from groundkit_core.contracts.search import MAX_LIMIT, MAX_NAME_CHARS, MAX_QUERY_CHARS
from groundkit_mcp.operations import OPERATIONS, Operation
from groundkit_mcp.operations.inputs import MAX_CONTEXT_LINES, MAX_PAGE
from groundkit_mcp.rendering.present import BUDGET

URI = "groundkit://capabilities"

_DISTRIBUTIONS = ("groundkit-core", "groundkit-index", "groundkit-retrieval", "groundkit-mcp")


def capabilities(
    operations: Sequence[Operation] = OPERATIONS, transports: Sequence[str] = ("stdio",)
) -> dict[str, Any]:
    """Return the description, generated from the operations and the contracts."""
    return {
        "name": "groundkit",
        "versions": {name: _version(name) for name in _DISTRIBUTIONS},
        "transports": list(transports),
        "operations": [_operation(operation) for operation in operations],
        "limits": {
            "query_visible_characters": MAX_QUERY_CHARS,
            "search_results": MAX_LIMIT,
            "context_lines": MAX_CONTEXT_LINES,
            "page_entries": MAX_PAGE,
            "name_characters": MAX_NAME_CHARS,
            "answer_bytes_per_form": BUDGET,
        },
        "modes": {
            "lexical": {"aliases": ["fts", "bm25"], "needs_vectors": False},
            "dense": {"aliases": ["vector"], "needs_vectors": True},
            "hybrid": {"aliases": [], "needs_vectors": True},
        },
        "source_classes": list(SOURCE_CLASSES),
        "source_class_all_excludes": ["config"],
        "confidence_values": list(get_args(Confidence)),
        "confidence_policies": list(get_args(ConfidencePolicy)),
        "verdicts": list(get_args(Verdict)),
        "absence_reasons": list(get_args(AbsenceReason)),
        "controls": {
            "read_only": all(operation.read_only for operation in operations),
            "citations_checked_in_every_search": True,
            "text_is_untrusted_context": True,
            "requests_carry_configuration": False,
            "network_access": False,
            "telemetry": "none",
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    return {
        "name": operation.name,
        "title": operation.title,
        "summary": operation.summary,
        "read_only": operation.read_only,
        "scope": operation.scope,
        "input_schema": operation.input_model.__name__,
        "output_schema": operation.output_model.__name__,
        "method": operation.method,
        "path": operation.path,
    }


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
