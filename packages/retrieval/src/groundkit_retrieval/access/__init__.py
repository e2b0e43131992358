"""What a reader may see of a collection, held to below ranking and in every catalog read."""

from __future__ import annotations

from groundkit_retrieval.access.reader import Reader
from groundkit_retrieval.access.view import View
from groundkit_retrieval.access.visibility import Visibilities, Visibility

__all__ = ["Reader", "View", "Visibilities", "Visibility"]
