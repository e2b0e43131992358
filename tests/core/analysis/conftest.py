"""Analyzers are slow to warm and safe to share, so tests share them."""

from __future__ import annotations

import pytest

from groundkit_core.analysis import Analyzer


@pytest.fixture(scope="session")
def english() -> Analyzer:
    return Analyzer("english")


@pytest.fixture(scope="session")
def plain() -> Analyzer:
    return Analyzer("none")
