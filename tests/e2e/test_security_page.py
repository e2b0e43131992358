"""Every control on the security page names a test that exists, and its transcript is current."""

from __future__ import annotations

import re
from pathlib import Path

from scripts.access_transcript import PAGE, transcript

_TESTS = Path(__file__).parents[1]


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8")))
    defined = {
        name
        for path in _TESTS.rglob("test_*.py")
        for name in re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    assert len(named) > 30
    assert named - defined == set()


def test_the_transcript_is_what_is_answered_now() -> None:
    assert transcript() in PAGE.read_text(encoding="utf-8")
