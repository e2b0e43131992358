from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from groundkit_index.embedders.remote.patience import FOR_DOCUMENTS, FOR_QUERIES, Patience


def test_waits_double_and_differ() -> None:
    patience = Patience(attempts=6, longest_wait=30)
    for attempt in range(5):
        waits = {patience.wait(attempt, None) for _ in range(20)}
        assert len(waits) > 1
        assert all(wait is not None and 0.125 <= wait / 2**attempt <= 0.25 for wait in waits)


def test_the_last_attempt_is_the_last() -> None:
    assert FOR_QUERIES.wait(0, None) is not None
    assert FOR_QUERIES.wait(1, None) is None


def test_retry_after_is_obeyed_within_bounds() -> None:
    assert FOR_DOCUMENTS.wait(0, "7") == 7
    assert FOR_DOCUMENTS.wait(0, "31") is None
    assert FOR_QUERIES.wait(0, "2") is None


def test_retry_after_may_be_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    wait = FOR_DOCUMENTS.wait(0, soon)
    assert wait is not None
    assert 15 < wait <= 20
    assert FOR_DOCUMENTS.wait(0, "Fri, 31 Dec 9999 23:59:59 GMT") is None


@pytest.mark.parametrize("header", ["", "soon", "-5", "1e9", "9" * 500, "Fri, 99 Foo 99999", "NaN"])
def test_nonsense_in_retry_after_is_ignored(header: str) -> None:
    wait = FOR_DOCUMENTS.wait(0, header)
    assert wait is not None
    assert wait <= 0.25
