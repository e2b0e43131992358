"""The JSON Schemas of results and comparisons, made from their contracts.

They are published beside this module in `schema/`.
"""

from __future__ import annotations

import json
from pathlib import Path

NAMES = ("result", "comparison")
FOLDER = Path(__file__).with_name("schema")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text(name: str) -> str:
    """Return the schema of one of `NAMES` as JSON, with a newline at the end."""
    from groundkit_eval.comparison.results import Comparison
    from groundkit_eval.results import EvaluationResult

    contract = EvaluationResult if name == "result" else Comparison
    found = {"$schema": _DIALECT, **contract.model_json_schema(mode="serialization")}
    return json.dumps(found, indent=1) + "\n"


def published(name: str) -> Path:
    """Return the file in which the schema of one of `NAMES` is published."""
    from groundkit_eval.comparison import results as comparisons
    from groundkit_eval.results import SCHEMA

    schema = SCHEMA if name == "result" else comparisons.SCHEMA
    return FOLDER / f"{schema.replace('/', '-')}.json"
