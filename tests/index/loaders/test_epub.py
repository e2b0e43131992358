"""E-books: made here file by file, so that each test shows what it is about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, chunk_structured
from groundkit_index.loaders.epub import LOADER
from groundkit_index.loaders.protocol import Limits

XHTML = "application/xhtml+xml"
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in parts.items():
            container.writestr(name, content)
    return target.getvalue()


def chapter(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head><title/></head><body>{body}</body></html>"
    )


def package(
    chapters: Mapping[str, str],
    *,
    order: Sequence[str] = (),
    items: str = "",
    spine: str = "",
    more: str = "",
) -> str:
    names = {href: f"i{number}" for number, href in enumerate(chapters)}
    listed = "".join(
        f'<item id="{name}" href="{href}" media-type="{XHTML}"/>' for href, name in names.items()
    )
    refs = "".join(f'<itemref idref="{names[href]}"/>' for href in order or chapters)
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title> The  Book </dc:title></metadata>"
        f"<manifest>{listed}{items}</manifest><spine>{refs}{spine}</spine>{more}</package>"
    )


def book(
    chapters: Mapping[str, str],
    *,
    order: Sequence[str] = (),
    items: str = "",
    spine: str = "",
    more: str = "",
    files: Mapping[str, str] | None = None,
) -> bytes:
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OEBPS/book.opf": package(chapters, order=order, items=items, spine=spine, more=more),
            **{f"OEBPS/{href}": chapter(body) for href, body in chapters.items()},
            **(files or {}),
        }
    )


def load(data: bytes, limits: Limits | None = None) -> Extraction:
    return LOADER.load(data, limits or Limits())


def reason(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentRefusedError) as caught:
        load(data, limits)
    return caught.value.reason


NAV = chapter(
    '<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>'
    '<li><a href="text/one.xhtml">The <i>first</i> one</a>'
    '<ol><li><a href="text/one.xhtml#s2">Its part</a></li></ol></li></ol></nav>'
)
NAV_ITEM = f'<item id="nav" href="nav.xhtml" media-type="{XHTML}" properties="nav"/>'
NCX = (
    '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://x.invalid/ncx.dtd">'
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint>'
    "<navLabel><text>From the old index</text></navLabel>"
    '<content src="text/one.xhtml"/></navPoint></navMap></ncx>'
)
NCX_ITEM = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
ONE = {"text/one.xhtml": "<h1 id='top'>One</h1><p>a</p><h2 id='s2'>Two</h2><p>b</p>"}


class TestReading:
    def test_chapters_come_in_the_order_of_the_spine(self) -> None:
        chapters = {"b.xhtml": "<h1>B</h1><p>b</p>", "a.xhtml": "<h1>A</h1><p>a</p>"}
        found = load(book(chapters, order=("a.xhtml", "b.xhtml")))
        assert found.text == "# A\n\na\n\n# B\n\nb"
        assert found.title == "The Book"

    def test_no_chunk_reaches_over_two_chapters(self) -> None:
        chapters = {"a.xhtml": "<h1>A</h1>", "b.xhtml": "<h1>B</h1><p>b</p>"}
        found = load(book(chapters))
        spans = chunk_structured(found).spans
        assert [found.place_of(span.start, span.end).fragment for span in spans] == [
            "a.xhtml",
            "b.xhtml",
        ]

    def test_sections_in_files_of_their_own_stay_under_their_chapter(self) -> None:
        chapters = {"a.xhtml": "<h1>A</h1><p>a</p>", "b.xhtml": "<h2>B</h2><p>b</p>"}
        assert chunk_structured(load(book(chapters))).spans[-1].heading_path == ("A", "B")

    def test_self_closed_elements_do_not_swallow_the_text(self) -> None:
        found = load(book({"a.xhtml": "<p><a id='x'/>kept<span/> whole</p><p>on</p>"}))
        assert found.text == "kept whole\n\non"

    def test_a_chapter_that_is_missing_is_reported(self) -> None:
        item = f'<item id="m" href="gone.xhtml" media-type="{XHTML}"/>'
        found = load(book(ONE, items=item, spine='<itemref idref="m"/>'))
        assert found.notes == ("1 chapters are not in the file",)


class TestPlaces:
    def test_labels_come_from_the_table_of_contents(self) -> None:
        found = load(book(ONE, items=NAV_ITEM, files={"OEBPS/nav.xhtml": NAV}))
        where = [found.place_of(found.text.index(word), len(found.text)) for word in "ab"]
        assert [(one.label, one.fragment) for one in where] == [
            ("The first one", "text/one.xhtml#top"),
            ("Its part", "text/one.xhtml#s2"),
        ]

    def test_the_older_kind_of_index_is_read(self) -> None:
        found = load(book(ONE, items=NCX_ITEM, files={"OEBPS/toc.ncx": NCX}))
        assert found.place_of(0, 1).label == "From the old index"

    def test_no_dtd_is_loaded(self, tmp_path: Path) -> None:
        (tmp_path / "x.dtd").write_text("not a DTD <")
        ncx = NCX.replace("http://x.invalid/ncx.dtd", (tmp_path / "x.dtd").as_uri())
        found = load(book(ONE, items=NCX_ITEM, files={"OEBPS/toc.ncx": ncx}))
        assert found.place_of(0, 1).label == "From the old index"

    def test_the_first_heading_is_the_label_without_one(self) -> None:
        found = load(book(ONE))
        assert found.place_of(len(found.text) - 1, len(found.text)).label == "One"

    def test_a_chapter_without_heading_gets_what_the_contents_call_it(self) -> None:
        chapters = {"text/one.xhtml": "<p>Once.</p>"}
        found = load(book(chapters, items=NAV_ITEM, files={"OEBPS/nav.xhtml": NAV}))
        assert found.text == "# The first one\n\nOnce."

    def test_a_broken_index_loses_labels_only(self) -> None:
        found = load(book(ONE, items=NAV_ITEM, files={"OEBPS/nav.xhtml": "<nav"}))
        assert found.text.startswith("# One")


class TestLeftOut:
    def test_navigation_covers_and_what_is_not_linear(self) -> None:
        chapters = {**ONE, "cover.xhtml": "<p>Cover</p>", "ad.xhtml": "<p>Advert</p>"}
        data = book(
            chapters,
            order=("cover.xhtml", "text/one.xhtml"),
            items=NAV_ITEM,
            spine='<itemref idref="nav"/><itemref idref="i2" linear="no"/>',
            more='<guide><reference type="cover" href="cover.xhtml"/></guide>',
            files={"OEBPS/nav.xhtml": NAV},
        )
        assert load(data).text == "# One\n\na\n\n## Two\n\nb"

    def test_a_book_of_nothing_else_is_read_all_the_same(self) -> None:
        more = '<guide><reference type="cover" href="text/one.xhtml"/></guide>'
        assert load(book(ONE, more=more)).text.startswith("# One")

    def test_hidden_text_is_counted(self) -> None:
        found = load(book({"a.xhtml": "<p>seen</p><p style='display:none'>secret</p>"}))
        assert (found.text, found.hidden) == ("seen", len("secret"))


def encryption(algorithm: str, member: str) -> dict[str, str]:
    return {
        "META-INF/encryption.xml": (
            '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
            'xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData>'
            f'<e:EncryptionMethod Algorithm="{algorithm}"/><e:CipherData>'
            f'<e:CipherReference URI="{member}"/></e:CipherData></e:EncryptedData></encryption>'
        )
    }


class TestRefusals:
    def test_protected_chapters(self) -> None:
        files = encryption("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OEBPS/text/one.xhtml")
        assert reason(book(ONE, files=files)) == "encrypted"

    def test_obfuscated_fonts_do_no_harm(self) -> None:
        files = encryption("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")
        assert load(book(ONE, files=files)).text.startswith("# One")

    def test_a_cut_off_file(self) -> None:
        data = book(ONE)
        assert {reason(data[:length]) for length in range(0, len(data) - 1, 97)} == {"broken"}

    def test_no_package_document(self) -> None:
        assert reason(packed({"mimetype": "application/epub+zip"})) == "broken"

    def test_no_chapters(self) -> None:
        assert reason(book({})) == "broken"

    def test_too_many_chapters(self) -> None:
        chapters = {f"{number}.xhtml": "<p>x</p>" for number in range(3)}
        assert reason(book(chapters), Limits(pages=2)) == "over_limit"

    def test_a_bomb(self) -> None:
        assert reason(book({"a.xhtml": "<p>" + " x" * 4_000_000 + "</p>"})) == "over_limit"

    def test_entities_of_the_package(self) -> None:
        opf = package(ONE).replace("The  Book", "The&e;Book")
        files = {"OEBPS/book.opf": f'<!DOCTYPE p [<!ENTITY e SYSTEM "file:///etc/x">]>{opf}'}
        assert reason(book(ONE, files=files)) == "broken"


def test_the_package_is_found_without_a_container_file() -> None:
    with zipfile.ZipFile(io.BytesIO(book(ONE))) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    del parts["META-INF/container.xml"]
    assert load(packed(parts)).text.startswith("# One")
