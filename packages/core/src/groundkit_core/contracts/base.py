"""What all contracts share."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

SourceClass = Literal["code", "docs", "decisions", "config", "memory"]
"""What kind of thing a document is; decided at ingest, used by filters and access."""

Verdict = Literal["verified", "relocated", "drifted", "missing", "refused"]
"""What checking a citation against its source found.

`verified`: the source still holds the quote at the span. `relocated`: the quote
stands once elsewhere in the source, and the citation carries that place.
`drifted`: the source no longer holds the quote, or holds it ambiguously.
`missing`: the source is gone. `refused`: the source may not be read.
"""

Confidence = Literal["high", "medium", "low"]

SOURCE_CLASSES: tuple[SourceClass, ...] = ("code", "docs", "decisions", "config", "memory")


class Contract(BaseModel):
    """A frozen, strictly validated model that rejects unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)
