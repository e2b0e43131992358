"""What schemathesis draws for the formats of /openapi.json; its own environment runs this."""

from __future__ import annotations

import os

import schemathesis  # type: ignore[import-not-found, unused-ignore]
from hypothesis import strategies as st

_TEXT = st.characters(codec="utf-8")
_CHUNK_IDS = st.sampled_from(os.environ["GROUNDKIT_CHUNK_IDS"].split())
_NAMES = st.from_regex(r"[^\W_][0-9A-Za-z._-]{0,20}[0-9A-Za-z]", fullmatch=True, alphabet="aZ0._-")

schemathesis.openapi.format("chunk-id", _CHUNK_IDS | st.text(_TEXT, min_size=1, max_size=100))
schemathesis.openapi.format("name", st.just("default") | _NAMES)
schemathesis.openapi.format(
    "visible-text", st.tuples(st.text(_TEXT, max_size=400), st.just("zebra")).map("".join)
)


@schemathesis.hook  # type: ignore[untyped-decorator, unused-ignore]
def map_body(_context: object, body: object) -> object:
    """Write `8.0` as `8`: JSON Schema takes both for an integer, the service only the second."""
    if not isinstance(body, dict):
        return body
    limit = body.get("limit")
    if isinstance(limit, float) and limit.is_integer():
        return {**body, "limit": int(limit)}
    return body
