"""What stands before each answer of a reading process."""

from __future__ import annotations

READY = b"ready\n"
"""What a process says once it has loaded what it needs."""

MORE, LAST = b".", b"!"
"""Stands before an answer: whether the process takes another request."""
