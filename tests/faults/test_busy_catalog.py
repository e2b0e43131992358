"""Another program that holds the catalog is waited for, and told when it takes too long."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from groundkit_core.errors import StorageError
from groundkit_index.catalog import connection as catalog_connection
from groundkit_index.lexical.writer import LexicalWriter

if TYPE_CHECKING:
    from tests.faults.conftest import Corpus, Index

SECONDS = 0.4


@pytest.fixture
def filled(corpus: Corpus, index: Index) -> Index:
    corpus.add(10)
    index.ingest(corpus.folder)
    return index


@contextmanager
def write_lock(index: Index) -> Iterator[sqlite3.Connection]:
    """Hold SQLite's write lock on the catalog, as a backup tool or a shell might."""
    catalog = index.paths.current().catalog
    with closing(sqlite3.connect(catalog, check_same_thread=False)) as connection:
        connection.isolation_level = None
        connection.execute("begin immediate")
        yield connection
        if connection.in_transaction:
            connection.execute("rollback")


def test_a_short_lock_of_another_program_is_waited_for(filled: Index, corpus: Corpus) -> None:
    corpus.change()
    with write_lock(filled) as connection:

        def release() -> None:
            time.sleep(SECONDS)
            connection.execute("rollback")

        thread = threading.Thread(target=release)
        thread.start()
        began = time.monotonic()
        filled.ingest(corpus.folder)
        assert time.monotonic() - began >= SECONDS / 2
        thread.join()
    assert filled.held() == corpus.whole()
    filled.check_finds_all(corpus.whole())


def test_a_long_lock_of_another_program_is_a_storage_error_and_heals(
    filled: Index, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog_connection, "_BUSY_SECONDS", SECONDS)
    before = corpus.whole()
    corpus.change()
    with write_lock(filled):
        with pytest.raises(StorageError, match="locked"):
            filled.ingest(corpus.folder)
        assert filled.held() == before
        filled.check_serves_only(before)
    filled.ingest(corpus.folder)
    filled.check_finds_all(corpus.whole())


def test_a_lock_that_comes_before_the_acknowledgement_is_a_storage_error(
    filled: Index, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.change()
    with pytest.raises(StorageError, match="locked"):
        ingest_with_a_lock_before_the_acknowledgement(filled, corpus, monkeypatch)


def test_a_lock_that_comes_before_the_acknowledgement_loses_nothing(
    filled: Index, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.change()
    with monkeypatch.context() as patch, pytest.raises((StorageError, sqlite3.OperationalError)):
        ingest_with_a_lock_before_the_acknowledgement(filled, corpus, patch)
    filled.check_serves_only(filled.held())
    filled.ingest(corpus.folder)
    assert filled.held() == corpus.whole()
    filled.check_finds_all(corpus.whole())


def ingest_with_a_lock_before_the_acknowledgement(
    index: Index, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog_connection, "_BUSY_SECONDS", SECONDS)
    original = LexicalWriter.commit
    locks: list[Any] = []

    def commit_and_lock(writer: LexicalWriter) -> None:
        original(writer)
        lock = write_lock(index)
        lock.__enter__()
        locks.append(lock)

    monkeypatch.setattr(LexicalWriter, "commit", commit_and_lock)
    try:
        index.ingest(corpus.folder)
    finally:
        for lock in locks:
            lock.__exit__(None, None, None)


def test_readers_do_not_mind_a_lock_of_another_program(filled: Index, corpus: Corpus) -> None:
    with write_lock(filled):
        assert filled.held() == corpus.whole()
        filled.check_serves_only(corpus.whole())
