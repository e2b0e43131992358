"""Checks a collection, and mends what is derived."""

from groundkit_index.doctor.examination import check_version, examine

__all__ = ["check_version", "examine"]
