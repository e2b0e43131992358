"""Ctrl-C finishes the batch under way, reports, and exits with 130."""

from __future__ import annotations

import json
import signal
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.faults.conftest import Corpus, Index


@pytest.mark.parametrize("command", ["ingest", "rebuild"])
def test_an_interrupted_command_leaves_a_whole_index(
    corpus: Corpus, index: Index, command: str
) -> None:
    corpus.add(20)
    index.ingest(corpus.folder)
    before = corpus.whole()
    corpus.add(600)
    words = [command, "--json"] + ([corpus.folder] if command == "ingest" else [])
    process = index.start(*words)
    while not (index.is_being_written() or process.poll() is not None):
        time.sleep(0.002)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert errors.splitlines()[-1] == "groundkit: interrupted; what was done before stays"
    held = index.held()
    assert before.items() <= held.items() <= corpus.whole().items()
    if command == "ingest":
        report = json.loads(output)
        assert report["interrupted"] is True
        assert report["documents"]["added"] == len(held) - len(before)
    else:
        assert held == before
        assert [version.name for version in index.paths.versions()] == ["v000001"]
    index.check_serves_only(held)
    assert index.faults() == {}
    index.ingest(corpus.folder)
    index.check_finds_all(corpus.whole())
