"""Arguments of an operation from a URL or a JSON body, as strict as those of a tool call."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from groundkit_core.errors import RequestError
from groundkit_mcp.errors import MalformedError, MediaTypeError
from groundkit_mcp.operations import Operation
from groundkit_mcp.operations.schemas import input_schema

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_JSON = re.compile(r'application/json(?:\s*;\s*charset="?utf-8"?)?', re.IGNORECASE)
_MAX_PARAMETERS = 50


class UrlArguments:
    """Reads the arguments of one operation from the path and the query of a URL.

    In a URL all is text: an integer is its canonical decimal form, so `8` is 8, and `8.0`, `08`,
    `+8`, `1e9` and `true` are not integers. A parameter stands once, and only those that the
    operation takes.

    Args:
        operation: whose arguments.
    """

    def __init__(self, operation: Operation) -> None:
        self._types = {
            name: schema["type"]
            for name, schema in input_schema(operation.input_model)["properties"].items()
        }

    def read(self, path: Mapping[str, str], query: bytes) -> dict[str, Any]:
        """Return the arguments.

        Raises:
            RequestError: one is unknown, repeated, or not of its type.
            MalformedError: the query is not UTF-8, or has far too many parameters.
        """
        found: dict[str, Any] = {}
        for name, text in [*path.items(), *_pairs(query)]:
            if name not in self._types:
                raise RequestError("an argument is unknown; see /openapi.json")
            if name in found:
                raise RequestError(f"{name}: given more than once")
            found[name] = self._value(name, text)
        return found

    def _value(self, name: str, text: str) -> str | int:
        if self._types[name] != "integer":
            return text
        if not _INTEGER.fullmatch(text):
            raise RequestError(f"{name}: Input should be an integer in decimal digits")
        return int(text)


def body_arguments(content_types: list[str], body: bytes) -> dict[str, Any]:
    """Return the arguments of a JSON body.

    Raises:
        MediaTypeError: it is of another type than JSON in UTF-8.
        MalformedError: it is not one JSON object, or a name in it stands twice.
    """
    if len(content_types) != 1 or not _JSON.fullmatch(content_types[0].strip()):
        raise MediaTypeError("the body must be application/json")
    found = parse_json(body)
    if not isinstance(found, dict):
        raise MalformedError("the body must be one JSON object")
    return found


def parse_json(body: bytes) -> Any:
    """Return a JSON value of standard JSON in UTF-8.

    Raises:
        MalformedError: it is anything else; the message repeats nothing of it.
    """
    try:
        return json.loads(
            body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant
        )
    except (ValueError, RecursionError):
        raise MalformedError("the body is not valid JSON in UTF-8") from None


def _pairs(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(query),
            errors="strict",
            max_num_fields=_MAX_PARAMETERS,
        )
    except ValueError:
        raise MalformedError("the query of the URL cannot be parsed") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _no_constant(_name: str) -> Any:
    raise ValueError("not a JSON number")
