"""What stands before each answer of a reading process."""

from __future__ import annotations

MORE, LAST = b".", b"!"
"""Stands before an answer: whether the process takes another request."""
