"""A PDF is cited by page and boxes, and its page can be drawn with the passage on it."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from groundkit_core.errors import ChunkNotFoundError, RequestError
from groundkit_index import ingest
from groundkit_retrieval import Collection

OTTER = "An otter swims with its webbed feet."
HOLT = "The holt of an otter is dug into the bank."


def pdf(*pages: str) -> bytes:
    """Return a PDF with one line of text a page."""
    streams = [f"BT /F 14 Tf 72 700 Td ({text}) Tj ET".encode() for text in pages]
    kids = " ".join(f"{3 + 2 * n} 0 R" for n in range(len(pages)))
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
    ]
    for number, stream in enumerate(streams):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {4 + 2 * number} 0 R "
            f"/Resources << /Font << /F {font} >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return body + head + table + trailer % (len(objects) + 1, len(body))


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "otters.pdf").write_bytes(pdf(OTTER, HOLT))
    return folder


@pytest.fixture
def index(docs: Path, tmp_path: Path) -> Path:
    (docs / "notes.md").write_text("# Notes\n\nThe marmot sleeps.\n")
    assert ingest(docs, index_dir=tmp_path / "index").refusals == ()
    return tmp_path / "index"


def chunk_of(index: Path, query: str) -> str:
    with Collection.open(index_dir=index) as opened:
        return opened.search(query).results[0].chunk_id


def pixels(image: bytes) -> tuple[int, int, set[bytes]]:
    """Return width, height and the colours of a PNG of 8-bit RGB without filters but the first."""
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", image[16:24])
    data, at = b"", 8
    while at < len(image):
        size, kind = struct.unpack(">I4s", image[at : at + 8])
        data += image[at + 8 : at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    raw = zlib.decompress(data)
    step = len(raw) // height
    rows = [raw[n * step + 1 : (n + 1) * step] for n in range(height)]
    return width, height, {row[n : n + 3] for row in rows for n in range(0, len(row), 3)}


def test_a_passage_of_a_pdf_is_cited_by_page_link_and_boxes(index: Path) -> None:
    with Collection.open(index_dir=index) as opened:
        citation = opened.search("webbed feet").results[0].citation
    assert (citation.page, citation.link) == (1, "otters.pdf#page=1")
    box = citation.boxes[0]
    assert box.page == 1
    assert 70 < box.left < 75
    assert 78 < box.top < box.bottom < 100  # 700 of 792 points from the bottom


def test_the_page_is_drawn_with_the_passage_highlighted(index: Path) -> None:
    with Collection.open(index_dir=index) as opened:
        image = opened.page_image(chunk_of(index, "webbed feet"), scale=1.0)
    width, height, colours = pixels(image)
    assert (width, height) == (612, 792)
    yellow = [c for c in colours if c[0] > 200 and c[1] > 200 and c[2] < 200]
    assert yellow


def test_a_larger_scale_is_a_larger_image(index: Path) -> None:
    with Collection.open(index_dir=index) as opened:
        image = opened.page_image(chunk_of(index, "webbed feet"), scale=2.0)
    assert struct.unpack(">II", image[16:24]) == (1224, 1584)


@pytest.mark.parametrize("scale", [0.0, 0.4, 6.1, 1e9])
def test_a_scale_out_of_bounds_is_refused(index: Path, scale: float) -> None:
    with Collection.open(index_dir=index) as opened, pytest.raises(RequestError, match="scale"):
        opened.page_image(chunk_of(index, "webbed feet"), scale=scale)


def test_what_has_no_pages_cannot_be_drawn(index: Path) -> None:
    with Collection.open(index_dir=index) as opened:
        with pytest.raises(RequestError, match="only pages of PDF documents"):
            opened.page_image(chunk_of(index, "marmot"))
        with pytest.raises(ChunkNotFoundError):
            opened.page_image("0" * 24)


def test_a_document_that_no_longer_holds_the_passage_is_not_drawn(docs: Path, index: Path) -> None:
    chunk_id = chunk_of(index, "webbed feet")
    (docs / "otters.pdf").write_bytes(pdf("Nothing of that kind at all."))
    with Collection.open(index_dir=index) as opened, pytest.raises(RequestError, match="drifted"):
        opened.page_image(chunk_id)


def test_the_command_writes_the_image(index: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.png"
    command = [sys.executable, "-m", "groundkit_retrieval", "show", chunk_of(index, "webbed feet")]
    done = subprocess.run(
        [*command, "--index-dir", str(index), "--image", str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert target.read_bytes().startswith(b"\x89PNG")
    assert "otters.pdf#page=1" in done.stdout
