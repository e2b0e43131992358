"""Work that takes too long is ended from within, between its steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundkit_retrieval import Collection


class TooLateError(Exception):
    """Stands for the error of a deadline."""


class Calls:
    """Lets a number of checks pass and ends the next one."""

    def __init__(self, passed: int) -> None:
        self.left = passed
        self.made = 0

    def __call__(self) -> None:
        self.made += 1
        self.left -= 1
        if self.left < 0:
            raise TooLateError


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
def test_a_search_ends_at_whichever_step_the_deadline_passes(hashed: Path, mode: str) -> None:
    with Collection.open(index_dir=hashed) as collection:
        counting = Calls(10_000)
        response = collection.search("the zebra and the heron", mode=mode, check=counting)
        assert counting.made >= 2 + len(response.results)
        for passed in range(counting.made):
            with pytest.raises(TooLateError):
                collection.search("the zebra and the heron", mode=mode, check=Calls(passed))
        assert collection.search("the zebra and the heron", mode=mode).results == response.results


def test_a_verification_ends_between_chunks(index_dir: Path) -> None:
    with Collection.open(index_dir=index_dir) as collection:
        with pytest.raises(TooLateError):
            collection.verify(check=Calls(5))
        assert collection.verify().checked == 12
