"""What `make formats` counts, and what it makes of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from scripts.bench.machine import Machine
from scripts.formats import __main__ as program
from scripts.formats import second, speed
from scripts.formats.account import Account, settle
from scripts.formats.corpus import PACKAGES, document_name, packages
from scripts.formats.ingesting import Checked
from scripts.formats.memory import ReaderMemory
from scripts.formats.report import Result, as_json, as_page
from scripts.formats.second import Fidelity, Score
from scripts.formats.speed import Speed
from scripts.formats.staging import Staged, evenly, format_of, stage

from groundkit_core.contracts import DocumentCounts, IngestReport, Refusal

MACHINE = Machine("a processor", 2, 25 * 10**9, "Linux", "CPython 3.11", 0.5)


def report(**refusals: str) -> IngestReport:
    return IngestReport(
        collection="default",
        generation=1,
        documents=DocumentCounts(),
        chunks=0,
        refusals=tuple(
            Refusal(source=source.replace("_", "/", 1).replace("_", "."), reason=reason)
            for source, reason in refusals.items()
        ),
        seconds=1.0,
    )


def staged(*names: str) -> list[Staged]:
    return [Staged(f"pkg/{name}", f"{n}/{name}", 10) for n, name in enumerate(names)]


def row(page: str, label: str) -> list[str]:
    line = next(line for line in page.splitlines() if line.startswith(f"| {label} "))
    return [cell.strip() for cell in line.strip("|").split("|")]


class TestAccounts:
    def test_every_file_is_indexed_refused_or_passed_over(self) -> None:
        files = staged("a.pdf", "b.pdf", "c.bin", ".d.pdf")
        found = settle("pdf", files, report(**{"1_b_pdf": "encrypted: why"}), {"0/a.pdf": 3})
        assert (found.files, found.indexed, found.chunks) == (4, 1, 3)
        assert found.refused == {"encrypted": 1}
        assert found.refusals == [("pkg/b.pdf", "encrypted: why")]
        assert found.passed == {"unsupported type": 1, "hidden": 1}
        assert found.adds_up
        assert found.faults == []

    def test_a_file_that_nothing_is_said_of_is_a_fault(self) -> None:
        found = settle("pdf", staged("a.pdf"), report(), {})
        assert not found.adds_up
        assert found.faults == [("pkg/a.pdf", "neither indexed nor refused")]

    @pytest.mark.parametrize("reason", ["crashed", "too_slow", "missing_package"])
    def test_a_refusal_that_is_our_doing_is_a_fault(self, reason: str) -> None:
        found = settle("pdf", staged("a.pdf"), report(**{"0_a_pdf": f"{reason}: why"}), {})
        assert found.adds_up
        assert found.faults == [("pkg/a.pdf", f"{reason}: why")]

    def test_an_archive_counts_once_whatever_is_in_it(self) -> None:
        files = staged("a.zip", "b.zip", "c.zip")
        refused = report(**{"1_b_zip": "broken: why"})
        found = settle("archive", files, refused, {"0/a.zip!/x.md": 1, "0/a.zip!/y.md": 2})
        assert (found.indexed, found.documents, found.chunks) == (1, 2, 3)
        assert found.refused == {"broken": 1}
        assert found.passed == {"nothing in it": 1}


class TestPage:
    def test_what_makes_a_run_fail_is_on_the_page(self) -> None:
        account = Account("pdf", files=2, indexed=1, chunks=5, unverified=["a.pdf: drifted at 3"])
        result = Result(MACHINE, [account], Checked(5, 1.0))
        assert result.faults() == [
            "pdf: a.pdf: drifted at 3",
            "pdf: the numbers do not add up to the files",
        ]
        page = as_page(result)
        assert "- Fault: pdf: a.pdf: drifted at 3" in page
        assert row(page, "pdf")[6:8] == ["5", "4"]

    def test_formats_are_summed(self) -> None:
        one = Account("docx", 3, 2_000_000, 2, chunks=7, seconds=2.0, peak_bytes=50_000_000)
        one.refused["broken"] = 1
        two = Account("pdf", 1, 1_000_000, 1, chunks=1, seconds=1.0, peak_bytes=70_000_000)
        page = as_page(Result(MACHINE, [one, two]))
        assert row(page, "all")[1:] == [
            "4", "3.0", "3", "1", "0", "8", "8", "3.0", "1.00", "70"
        ]  # fmt: skip
        assert "- docx: 1 broken" in page

    def test_a_loader_is_held_to_the_bare_parser(self) -> None:
        quick = Speed("pdf", 2, 2_000_000, 30, bare=1.0, loader=1.25, whole=2.0, read_1=2, read_2=1)
        slow = Speed("docx", 1, 1_000_000, 1, bare=1.0, loader=1.4, whole=2.0)
        page = as_page(Result(MACHINE, [], speeds=[quick, slow]))
        found = row(page.partition("Loaders")[2], "pdf")
        assert found[5:9] == ["1.60", "24 pages", "1.25x", "yes"]
        assert found[-1] == "2.00x as fast"
        assert row(page, "docx")[8] == "no"

    def test_the_files_that_differ_most_come_first(self) -> None:
        scores = tuple(Score(f"{n}.pdf", n / 20, 1.0, 9) for n in range(1, 21))
        page = as_page(Result(MACHINE, [], fidelity=[Fidelity("pdf", "pdftotext", scores)]))
        assert "median 0.525, 5th percentile 0.050" in page
        assert row(page, "1.pdf")[1:] == ["9", "0.050", "1.000"]
        assert "| 11.pdf" not in page

    def test_a_second_extractor_that_is_not_there_is_named(self) -> None:
        page = as_page(Result(MACHINE, [], fidelity=[Fidelity("html", "w3m")]))
        assert "html: not compared, `w3m` is not installed." in page


class TestStaging:
    def test_files_are_sorted_by_format_and_keep_their_names(self, tmp_path: Path) -> None:
        for path in ("p/node_modules/.x/README", "p/a.md", "q/a.md", "q/b.tar.gz", "q/c.odt"):
            target = tmp_path / "corpus" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(path)
        (tmp_path / "corpus" / "link.md").symlink_to(tmp_path / "corpus" / "p" / "a.md")
        found = stage(tmp_path / "corpus", tmp_path / "files")
        assert {name: [file.path for file in files] for name, files in found.items()} == {
            "archive": ["q/b.tar.gz"],
            "markdown": ["p/a.md", "q/a.md"],
            "other": ["q/c.odt"],
            "text": ["p/node_modules/.x/README"],
        }
        assert (tmp_path / "files" / "markdown" / "00001" / "a.md").read_text() == "q/a.md"

    def test_a_limit_takes_files_evenly(self) -> None:
        assert evenly(range(10), 3) == [0, 3, 6]
        assert evenly([1, 2], 3) == [1, 2]

    @pytest.mark.parametrize(
        ("name", "expected"),
        [("a.py", "python"), ("a.json", "json"), ("a.pdf", "pdf"), ("a.tgz", "archive")],
    )
    def test_code_and_configuration_go_by_language(self, name: str, expected: str) -> None:
        assert format_of(name) == expected


class TestCorpus:
    def test_packages_are_listed_once_without_addresses(self) -> None:
        listed = packages()
        assert {kind for kind, _ in listed} == {"deb", "sdist"}
        assert len(set(listed)) == len(listed) > 50
        assert "/" not in PACKAGES.read_text(encoding="utf-8").replace("`make formats`", "")

    def test_what_is_packed_goes_by_what_is_in_it(self, tmp_path: Path) -> None:
        message, other = tmp_path / "a.mbox", tmp_path / "b.mbox"
        message.write_bytes(b"Subject: x\n\ny")
        other.write_bytes(b"\0\0")
        assert document_name(message) == "a.mbox.eml"
        assert document_name(other) == "b.mbox"
        assert document_name(tmp_path / "c.html.gz") == "c.html"
        assert document_name(tmp_path / "c.tar.gz") == "c.tar.gz"


def test_a_machine_without_apt_skips(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(program, "CACHE", tmp_path / "cache")
    assert program.main([]) == 0
    assert capsys.readouterr().out.startswith("skipped: apt-get is not here")


def test_a_small_corpus_is_ingested_verified_and_put_on_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, page, out = tmp_path / "corpus", tmp_path / "formats.md", tmp_path / "out.json"
    corpus.mkdir()
    (corpus / "a.html").write_text("<h1>Keys</h1><p>Rotate the keys.</p>")
    (corpus / "b.html").write_text("<p></p>")
    (corpus / "c.md").write_text("# Keys\n\nRotate the keys.\n")
    (corpus / "d.json").write_text('{"keys": 1}')
    (corpus / "e.bin").write_bytes(b"\0")
    page.write_text("<!-- formats:begin -->\nstale\n<!-- formats:end -->\n")
    options = ["--corpus", str(corpus), "--update", str(page), "--json", str(out), "--budget", "0"]
    assert program.main(options) == 0, capsys.readouterr().out
    written = page.read_text()
    assert "stale" not in written
    assert str(tmp_path) not in written + out.read_text()
    assert row(written, "all")[1:6] == ["5", "0.0", "3", "1", "1"]
    assert "- html: 1 no_text" in written
    accounts = {one["name"]: one for one in json.loads(out.read_text())["accounts"]}
    assert accounts["json"]["chunks"] == 1
    assert accounts["html"]["chunks"] >= 1


def test_the_memory_of_readers_is_that_of_children() -> None:
    code = "held = bytearray(90_000_000); import time; time.sleep(0.5)"
    with ReaderMemory() as memory:
        subprocess.run([sys.executable, "-c", code], check=True)
    assert 90e6 < memory.peak_bytes < 200e6


def test_steps_are_timed_over_the_same_files(tmp_path: Path) -> None:
    files, work = tmp_path / "files", tmp_path / "work"
    for folder in (files, work):
        folder.mkdir()
    (files / "a.json").write_text('{"keys": {"days": 90}}')
    (files / "b.json").write_text("no json")
    staged = [Staged(name, name, 9) for name in ("a.json", "b.json")]
    taken = speed.measure("json", staged, files, work, budget=9)
    assert taken is not None
    assert (taken.files, taken.bytes) == (1, 22)
    assert 0 < taken.loader < taken.whole
    assert min(taken.bare, taken.read_1, taken.read_2) > 0
    assert speed.measure("unknown", staged, files, work, budget=9) is None


def test_a_text_is_compared_with_that_of_another_extractor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'import sys; print(open(sys.argv[1]).read()) if "bad" not in sys.argv[1] else exit(1)'
    command = [sys.executable, "-c", script]
    monkeypatch.setitem(second.COMMANDS, "html", lambda path: [*command, str(path)])
    for name in ("a.html", "b.html", "bad.html"):
        (tmp_path / name).write_text("one two three four")
    files = [Staged(f"pkg/{name}", name, 9) for name in ("a.html", "b.html", "bad.html")]
    texts = {"a.html": "one two three four", "b.html": "four two", "bad.html": "x"}
    found = second.compare("html", files, tmp_path, texts)
    assert found.failed == 1
    assert found.scores == (Score("pkg/a.html", 1.0, 1.0, 4), Score("pkg/b.html", 0.5, 0.5, 4))
    assert found.worst()[0].path == "pkg/b.html"


def test_results_are_plain_data() -> None:
    result = Result(MACHINE, [Account("pdf", refused=_counter())], Checked(1, 0.1))
    assert json.loads(json.dumps(as_json(result)))["accounts"][0]["refused"] == {"broken": 2}


def _counter() -> Counter[str]:
    return Counter({"broken": 2})
