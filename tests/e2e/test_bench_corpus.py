"""Finding and copying the benchmark's corpus."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from scripts.bench import corpus
from scripts.bench.__main__ import main
from scripts.bench.errors import BenchError, CorpusAbsentError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "origin" / "documents"
    for name in ("b.md", "a/c.md", ".git/d.md", "a/.e.md", "f.txt"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return root


def _archive(folder: Path, name: str) -> Path:
    archive = folder.parent / name
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, arcname=folder.name)
    return archive


def test_the_default_corpus_stands_beside_the_checkout(tmp_path: Path) -> None:
    archive = tmp_path / "shared" / "data" / "md-corpus.tar.xz"
    archive.parent.mkdir(parents=True)
    archive.touch()
    assert corpus.locate(None, tmp_path / "checkout") == archive


def test_an_absent_default_is_told_apart_from_a_wrong_path(tmp_path: Path) -> None:
    with pytest.raises(CorpusAbsentError, match="--corpus"):
        corpus.locate(None, tmp_path / "checkout")
    with pytest.raises(BenchError, match="no corpus at"):
        corpus.locate(tmp_path / "nothing")


def test_an_absent_default_is_skipped_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(corpus.locate, "__defaults__", (tmp_path / "checkout",))
    assert main([]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("skipped: ")
    assert said.out.count("\n") == 1
    assert said.err == ""


def test_a_wrong_path_is_an_error_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--corpus", str(tmp_path / "nothing")]) == 1
    assert capsys.readouterr().err.startswith("error: no corpus at")


def test_an_archive_and_a_folder_give_the_same_private_copy(folder: Path, tmp_path: Path) -> None:
    unpacked = corpus.materialize(_archive(folder, "docs.tar.xz"), tmp_path / "one")
    copied = corpus.materialize(folder, tmp_path / "two")
    assert _texts(unpacked) == _texts(copied) == _texts(folder)
    (copied / "b.md").write_text("edited", encoding="utf-8")
    assert (folder / "b.md").read_text(encoding="utf-8") == "b.md"


def _texts(root: Path) -> dict[str, str]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in files}


def test_a_damaged_archive_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.tar.xz"
    broken.write_bytes(b"not an archive")
    with pytest.raises(BenchError, match=r"cannot unpack broken\.tar\.xz"):
        corpus.materialize(broken, tmp_path / "out")


def test_an_archive_cannot_write_outside_its_folder(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as tar:
        tar.add(folder / "b.md", arcname="../escaped.md")
    with pytest.raises(BenchError, match=r"evil\.tar"):
        corpus.materialize(archive, tmp_path / "inner" / "out")
    assert not (tmp_path / "inner" / "escaped.md").exists()


def test_markdown_files_are_visible_and_in_the_order_of_their_paths(folder: Path) -> None:
    found = corpus.markdown_files(folder)
    assert [path.relative_to(folder).as_posix() for path in found] == ["a/c.md", "b.md"]
