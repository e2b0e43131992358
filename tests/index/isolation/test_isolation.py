"""Documents of others are read where they can do no harm."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkSettings
from groundkit_index import IngestOptions, ingest
from groundkit_index.isolation import IsolatedProcess, read_isolated
from groundkit_index.isolation.messages import ANSWER, REQUEST, Read
from groundkit_index.loaders import Limits
from groundkit_index.reading import Job, ReadSettings

PAGE = "<html><head><title>Otters</title></head><body><p>{}</p></body></html>"


def settings(folder: Path) -> ReadSettings:
    return ReadSettings(
        root=str(folder),
        snapshots="",
        max_bytes=2**26,
        detect=True,
        chunking=ChunkSettings(),
        language="english",
        allowed=frozenset(),
        held=frozenset(),
    )


def job(source: str) -> Job:
    return Job(source, 1, Kind("html"), "docs", "default", 1, None)


def request(folder: Path, source: str = "a.html") -> bytes:
    return REQUEST.dump_json(Read(job(source), settings(folder)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.html").write_text(PAGE.format("The otter swims at night."))
    (tmp_path / "b.html").write_text(PAGE.format("The beaver builds by day."))
    return tmp_path


def reading(seconds: float = 60.0, memory: int = Limits().memory_bytes) -> IsolatedProcess:
    return IsolatedProcess(seconds, memory)


def end(process: IsolatedProcess) -> None:
    process.close()
    process.wait()


def test_a_document_is_read_in_another_process(folder: Path) -> None:
    process = reading()
    answer = ANSWER.validate_json(process.ask(request(folder)))
    assert answer.outcome is not None
    assert answer.outcome.document is not None
    assert "The otter swims at night." in answer.outcome.document.chunks[0].content
    end(process)


def test_what_takes_too_long_is_ended_and_the_next_document_is_read(folder: Path) -> None:
    process = reading(seconds=0.01)  # the process has not even started by then
    with pytest.raises(DocumentRefusedError, match=r"too_slow: it takes more than 0\.01 s"):
        process.ask(request(folder))
    process._seconds = 60.0
    assert ANSWER.validate_json(process.ask(request(folder))).outcome is not None
    end(process)


def test_a_process_that_ends_costs_one_document(folder: Path) -> None:
    process = reading()
    process.ask(request(folder))
    assert process._process is not None
    os.kill(process._process.pid, signal.SIGKILL)
    with pytest.raises(DocumentRefusedError, match="crashed"):
        process.ask(request(folder))
    assert ANSWER.validate_json(process.ask(request(folder))).outcome is not None
    end(process)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells and limits address space")
def test_what_needs_too_much_memory_is_refused_and_the_next_document_is_read(
    folder: Path,
) -> None:
    (folder / "large.html").write_text(PAGE.format("<b>otter</b> " * 2_000_000))
    process = reading(memory=60 * 2**20)
    answer = ANSWER.validate_json(process.ask(request(folder, "large.html")))
    assert answer.refusal == ("over_limit", "it needs more memory than it may")
    assert ANSWER.validate_json(process.ask(request(folder))).outcome is not None
    end(process)


def test_the_process_ends_with_its_parent(folder: Path) -> None:
    process = reading()
    process.ask(request(folder))
    child = process._process
    assert child is not None
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(10) == 0
    end(process)


def test_an_interrupt_is_left_to_the_parent(folder: Path) -> None:
    process = reading()
    process.ask(request(folder))
    assert process._process is not None
    process._process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    assert ANSWER.validate_json(process.ask(request(folder))).outcome is not None
    end(process)


def test_outcomes_come_in_order_from_several_processes(folder: Path) -> None:
    names = []
    for number in range(12):
        names.append(f"{number:02}.html")
        (folder / names[-1]).write_text(PAGE.format(f"otter {number} " * (12 - number) * 400))
    jobs = [Job(n, 2**20, Kind("html"), "docs", "default", 1, None) for n in names]
    found = list(read_isolated(jobs, settings(folder), 2))
    assert [job.source for job, _ in found] == names
    assert all(outcome.document is not None for _, outcome in found)


def test_no_process_is_left_when_reading_ends_early(folder: Path) -> None:
    before = threading.active_count()
    found = read_isolated([job("a.html"), job("b.html")], settings(folder), 1)
    next(found)
    cast(Generator[Any, None, None], found).close()
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threading.active_count() <= before


def test_a_message_is_json_and_nothing_else(folder: Path) -> None:
    assert json.loads(request(folder))["job"]["source"] == "a.html"


def test_one_bad_document_does_not_stop_the_others(folder: Path, tmp_path: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of that kind")
    (folder / "locked.docx").write_bytes(
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + "EncryptedPackage".encode("utf-16-le")
    )
    (folder / "empty.html").write_text("<html></html>")
    report = ingest(folder, index_dir=tmp_path / "index", options=IngestOptions(workers=2))
    assert report.documents.added == 2
    reasons = {refusal.source: refusal.reason.partition(":")[0] for refusal in report.refusals}
    assert reasons == {"broken.pdf": "broken", "locked.docx": "encrypted", "empty.html": "no_text"}
