"""A short run over all formats; `make fuzz` is the long one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scripts.fuzz import __main__ as program
from scripts.fuzz.checks import difference, problems
from scripts.fuzz.reading import Reader
from scripts.fuzz.seeds import Seed, seeds
from scripts.fuzz.variants import Variant, variant

from groundkit_core.kinds import FORMATS, kind_of
from groundkit_core.model import FileSignature
from groundkit_index.prepared import PreparedChunk, PreparedDocument
from groundkit_index.reading import Outcome

TEXT = "# Keys\n\nRotate them."
CHUNK = PreparedChunk(0, 6, 1, 1, (), None, "# Keys", "", "\n\nRotate them.", "key")
SIGNATURE = FileSignature(20, 1, 1, 1)


def outcome(*chunks: PreparedChunk, text: str = TEXT) -> Outcome:
    document = PreparedDocument(
        "a.html", "html", "docs", "default", "", "utf-8", "0" * 64, SIGNATURE, chunks, text=text
    )
    return Outcome("0" * 64, SIGNATURE, document)


def test_damaged_documents_of_all_formats_are_read_or_refused() -> None:
    run = program.fuzz(7, range(120))
    assert [program._line(7, found, wrong) for found, wrong in run.findings] == []
    assert run.outcomes.total() == 120
    assert {what for _, what in run.outcomes} >= {"read", "broken"}


def test_every_document_is_read_before_it_is_damaged(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    try:
        found = {one.name: reader.check(Variant(0, one.name, (), one.data)) for one in seeds()}
    finally:
        reader.close()
    assert set(map(str, found.values())) == {"('read', [])"}


def test_there_are_documents_of_every_format() -> None:
    kinds = {kind.name for one in seeds() if (kind := kind_of(one.name))}
    assert kinds >= FORMATS | {"asciidoc", "code", "config", "csv", "markdown", "rst", "text"}


def test_a_number_gives_the_same_variant_again() -> None:
    documents = seeds()
    made = [variant(3, number, documents) for number in range(80)]
    assert made == [variant(3, number, seeds()) for number in range(80)]
    assert made != [variant(4, number, documents) for number in range(80)]
    changed = sum(one.data != documents[one.number % len(documents)].data for one in made)
    assert changed > 65


@pytest.mark.parametrize(
    ("chunk", "problem"),
    [
        (replace(CHUNK, end=99), "outside the text"),
        (replace(CHUNK, content="# keys"), "is not what stands there"),
        (replace(CHUNK, start=6, end=8, content="\n\n"), "is blank"),
        (replace(CHUNK, start_line=2), "has lines 2 to 1"),
    ],
)
def test_a_wrong_chunk_is_found(chunk: PreparedChunk, problem: str) -> None:
    assert list(problems(outcome(CHUNK), b"")) == []
    assert problem in " ".join(problems(outcome(chunk), b""))


def test_chunks_that_overlap_or_are_too_long_are_found() -> None:
    assert "before the end" in " ".join(problems(outcome(CHUNK, CHUNK), b""))
    long = replace(CHUNK, end=2_001, content="a" * 2_001, suffix="")
    assert "longer than 2,000" in " ".join(problems(outcome(long, text="a" * 2_001), b""))


@pytest.mark.parametrize(("text", "name"), [("a\0b", "NUL"), ("a\ud800", "a lone surrogate")])
def test_characters_that_are_none_are_found(text: str, name: str) -> None:
    assert f"its text has {name}" in list(problems(outcome(text=text), b""))


def test_text_without_chunks_is_found() -> None:
    assert list(problems(outcome(), b"")) == ["text without chunks"]


@pytest.mark.parametrize("reason", ["crashed", "too_slow", "never_heard_of"])
def test_a_reason_that_speaks_against_the_reader_is_found(reason: str) -> None:
    assert list(problems(Outcome(refusal=(reason, f"{reason}: x")), b"")) == [
        f"refused: {reason}: x"
    ]
    assert list(problems(Outcome(refusal=("broken", "broken: x")), b"")) == []


def test_a_second_read_must_give_the_same_document() -> None:
    first, broken = outcome(CHUNK), Outcome(refusal=("broken", "broken"))
    assert difference(first, outcome(CHUNK)) == ""
    assert difference(first, outcome()) == "another document on a second read"
    assert difference(first, broken) == "once read, then broken"
    assert first.document is not None
    racy = replace(first.document, signature=replace(SIGNATURE, mtime_ns=0, ctime_ns=0))
    assert difference(first, replace(first, document=racy)) == ""


def test_a_finding_is_printed_with_what_repeats_it_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A text file of this name is never asked to hold text, so reading it is always a finding.
    monkeypatch.setattr(program, "seeds", lambda: [Seed("a.unknown", b"words " * 50)])
    options = ["--count", "2", "--seed", "5", "--findings", str(tmp_path / "kept")]
    assert program.main(options) == 1
    assert "--seed 5 --only 1: a.unknown, " in capsys.readouterr().out
    kept = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert kept == ["5-0-a.unknown", "5-1-a.unknown"]
