from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from groundkit_core.access import Policy, PolicyError, PolicySource, Principal

Write = Callable[[str], Path]

ENGINEER = 'version = 1\n[[identities]]\nprofile = "engineer"\nsubject = "bot"\n'
AUDITOR = ENGINEER.replace("engineer", "auditor")
BOT = Principal("bot")


def profile(source: PolicySource) -> str:
    return source.current().profile_of(BOT).name


def test_without_a_file_the_built_in_policy_holds() -> None:
    assert PolicySource().current().fingerprint == Policy().fingerprint


def test_the_next_call_after_a_change_has_the_new_policy(write: Write) -> None:
    source = PolicySource(write(ENGINEER))
    assert profile(source) == "engineer"
    write(AUDITOR)
    assert profile(source) == "auditor"


def test_an_unchanged_file_keeps_the_same_policy(write: Write) -> None:
    source = PolicySource(write(ENGINEER))
    policy = source.current()
    write(ENGINEER)
    assert source.current() is policy


def test_a_change_in_place_of_equal_length_and_time_is_seen(write: Write) -> None:
    path = write(ENGINEER)
    source = PolicySource(path)
    status = path.stat()
    path.write_text(ENGINEER.replace('"bot"', '"bat"'))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert profile(source) == "restricted"


@pytest.mark.parametrize("broken", ["", "version = 1\n[[", "version = 1\nx = 1", None])
def test_while_the_policy_is_broken_nobody_reads_anything(write: Write, broken: str | None) -> None:
    path = write(ENGINEER)
    source = PolicySource(path)
    if broken is None:
        path.unlink()
    else:
        write(broken)
    closed = source.current()
    assert source.problems
    assert closed.closed
    assert not closed.profile_of(BOT).classes
    assert not closed.named("auditor").profile.classes
    assert source.current() is closed or broken is not None
    write(AUDITOR)
    assert profile(source) == "auditor"
    assert source.problems == ()


def test_permissions_that_are_mended_are_noticed(write: Write) -> None:
    path = write(ENGINEER)
    source = PolicySource(path)
    path.chmod(0o666)
    assert source.current().closed
    path.chmod(0o600)
    assert profile(source) == "engineer"


@pytest.mark.parametrize("text", ["", "version = 1\nx = 1"])
def test_a_broken_file_at_the_start_is_an_error(write: Write, text: str) -> None:
    with pytest.raises(PolicyError):
        PolicySource(write(text))


def test_a_missing_file_at_the_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="No such file"):
        PolicySource(tmp_path / "none.toml")


def test_only_a_file_that_has_just_changed_is_opened_again(write: Write) -> None:
    path = write(ENGINEER)
    source = PolicySource(path)
    opened: list[int] = []
    name = str(path)
    sys.addaudithook(
        lambda event, args: opened.append(1) if (event, args[:1]) == ("open", (name,)) else None
    )
    assert profile(source) == "engineer"
    assert len(opened) == 1
    path = write(AUDITOR)
    assert profile(source) == "auditor"
    opened.clear()
    assert profile(source) == "auditor"
    assert len(opened) == 1
    time.sleep(2.1)
    for _ in range(100):
        source.current()
    assert len(opened) == 2


def test_a_half_written_file_is_never_taken(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(AUDITOR)
    source = PolicySource(path)
    rule = '[[rules]]\npaths = ["hr/**"]\nlabels = ["people"]\n'
    with path.open("w") as file:
        file.write(AUDITOR)
        file.flush()

        def finish() -> None:
            file.write(rule)
            file.flush()

        late = threading.Timer(0.02, finish)
        late.start()
        found = source.current().classify("hr/x", "docs", "p", collection="default")
        late.join()
    assert found.labels == {"people"}


def test_threads_see_whole_policies_only(write: Write) -> None:
    source = PolicySource(write(ENGINEER))
    seen: set[str] = set()
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            seen.add(profile(source))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for text in (AUDITOR, ENGINEER, AUDITOR):
        write(text)
        time.sleep(0.1)
    stop.set()
    for thread in threads:
        thread.join()
    assert seen == {"engineer", "auditor"}
    assert profile(source) == "auditor"
