"""Small documents of every format, which the variants are made from."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from email.message import EmailMessage
from typing import NamedTuple

from scripts.fuzz.texts import CODE, HTML, PROSE, TEXTS

_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


class Seed(NamedTuple):
    """A document: its file name, which tells the format, and its bytes."""

    name: str
    data: bytes


def seeds() -> list[Seed]:
    """Return one or more small documents of every format, in a fixed order."""
    texts = [Seed(name, text.encode()) for name, text in sorted({**TEXTS, **CODE}.items())]
    return [*_documents(), *texts, *_archives()]


def packed(members: Mapping[str, bytes | str]) -> bytes:
    """Return a ZIP container with these members, the same bytes every time."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in members.items():
            stored = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            container.writestr(zipfile.ZipInfo(name), content, compress_type=stored)
    return target.getvalue()


def _documents() -> list[Seed]:
    return [
        Seed("report.pdf", _pdf(deflate=False)),
        Seed("packed.pdf", _pdf(deflate=True)),
        Seed("letter.docx", _docx()),
        Seed("talk.pptx", _pptx()),
        Seed("prices.xlsx", _xlsx()),
        Seed("book.epub", _epub()),
        Seed("work.ipynb", _notebook()),
        Seed("message.eml", _email()),
        Seed("page.html", HTML.encode()),
        Seed("latin.htm", HTML.replace("utf-8", "iso-8859-1").encode("latin-1", "ignore")),
    ]


def _relations(**targets: str) -> str:
    inside = "".join(
        f'<Relationship Id="{kind}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for kind, target in targets.items()
    )
    return f'<Relationships xmlns="{_RELATIONS}">{inside}</Relationships>'


def _docx() -> bytes:
    def paragraph(text: str, about: str = "") -> str:
        return f"<w:p><w:pPr>{about}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"

    heading = paragraph("Keys", '<w:pStyle w:val="H1"/>')
    item = paragraph("Rotate", '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>')
    cells = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("Name", "Price"))
    table = f"<w:tbl><w:tr>{cells}</w:tr><w:tr>{cells}</w:tr></w:tbl>"
    hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r></w:p>"
    style = (
        '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/>'
        '<w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    )
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="1"><w:start w:val="1"/>'
        '<w:numFmt w:val="decimal"/><w:lvlText w:val="%2."/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    body = heading + paragraph(PROSE) + item + item + table + hidden
    space = f'xmlns:w="{_WORD}"'
    return packed(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": _relations(officeDocument="word/document.xml"),
            "word/_rels/document.xml.rels": _relations(
                styles="styles.xml", numbering="numbering.xml"
            ),
            "word/document.xml": f"<w:document {space}><w:body>{body}</w:body></w:document>",
            "word/styles.xml": f"<w:styles {space}>{style}</w:styles>",
            "word/numbering.xml": f"<w:numbering {space}>{numbering}</w:numbering>",
        }
    )


def _pptx() -> bytes:
    spaces = f'xmlns:p="{_SLIDE}" xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}"'

    def shape(text: str, kind: str) -> str:
        return (
            f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="n"/><p:nvPr><p:ph type="{kind}"/></p:nvPr>'
            '</p:nvSpPr><p:spPr><a:xfrm><a:off x="10" y="20"/><a:ext cx="300" cy="90"/></a:xfrm>'
            f'</p:spPr><p:txBody><a:p><a:pPr lvl="1"/><a:r><a:t>{text}</a:t></a:r></a:p>'
            "</p:txBody></p:sp>"
        )

    cell = "<a:tc><a:txBody><a:p><a:r><a:t>cell</a:t></a:r></a:p></a:txBody></a:tc>"
    table = (
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>"
        f"<a:tr>{cell}{cell}</a:tr><a:tr>{cell}{cell}</a:tr>"
        "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    group = f"<p:grpSp>{shape('inside', 'body')}</p:grpSp>"
    inside = shape("Keys", "title") + shape(PROSE, "body") + group + table
    slide = f"<p:sld {spaces}><p:cSld><p:spTree>{inside}</p:spTree></p:cSld></p:sld>"
    listed = '<p:sldIdLst><p:sldId r:id="slide"/></p:sldIdLst><p:sldSz cx="1000" cy="700"/>'
    return packed(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": _relations(officeDocument="ppt/presentation.xml"),
            "ppt/presentation.xml": f"<p:presentation {spaces}>{listed}</p:presentation>",
            "ppt/_rels/presentation.xml.rels": _relations(slide="slides/slide1.xml"),
            "ppt/slides/slide1.xml": slide,
        }
    )


def _xlsx() -> bytes:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="s"><v>{n % 2}</v></c><c r="B{n}" s="1"><v>{n * 40000.5}</v>'
        f'</c><c r="C{n}" t="inlineStr"><is><t>in {n}</t></is></c></row>'
        for n in range(1, 7)
    )
    merged = '<mergeCells count="1"><mergeCell ref="A5:A6"/></mergeCells>'
    dimension = '<dimension ref="A1:C6"/>'
    styles = (
        '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>'
    )
    listed = f'<sheets><sheet name="Prices" sheetId="1" xmlns:r="{_OFFICE}" r:id="worksheet"/>'
    space = f'xmlns="{_SHEET}"'
    return packed(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": _relations(officeDocument="xl/workbook.xml"),
            "xl/workbook.xml": f"<workbook {space}>{listed}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": _relations(
                worksheet="worksheets/sheet1.xml",
                sharedStrings="sharedStrings.xml",
                styles="styles.xml",
            ),
            "xl/sharedStrings.xml": f"<sst {space}><si><t>Name</t></si><si><t>Kö</t></si></sst>",
            "xl/styles.xml": f"<styleSheet {space}>{styles}</styleSheet>",
            "xl/worksheets/sheet1.xml": f"<worksheet {space}>{dimension}<sheetData>{rows}"
            f"</sheetData>{merged}</worksheet>",
        }
    )


def _epub() -> bytes:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    kind = "application/xhtml+xml"
    items = "".join(
        f'<item id="{name}" href="{name}.xhtml" media-type="{kind}"/>' for name in ("one", "two")
    )
    book = (
        '<package xmlns="http://www.idpf.org/2007/opf" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Keys</dc:title>'
        f'</metadata><manifest>{items}</manifest><spine><itemref idref="one"/>'
        '<itemref idref="two"/></spine></package>'
    )

    def chapter(title: str) -> str:
        return (
            '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
            f"<head><title/></head><body><h1 id='a'>{title}</h1><p>{PROSE}</p></body></html>"
        )

    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OEBPS/book.opf": book,
            "OEBPS/one.xhtml": chapter("One"),
            "OEBPS/two.xhtml": chapter("Two"),
        }
    )


def _notebook() -> bytes:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Keys\n", PROSE]},
        {
            "cell_type": "code",
            "metadata": {},
            "source": "print(42)",
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["42\n", "\x1b[1mbold\x1b[0m"]},
                {"output_type": "display_data", "data": {"text/html": "<b>x</b>"}, "metadata": {}},
            ],
        },
    ]
    about = {"language_info": {"name": "python"}}
    return json.dumps({"nbformat": 4, "metadata": about, "cells": cells}, indent=1).encode()


def _email() -> bytes:
    inner, message = EmailMessage(), EmailMessage()
    inner["Subject"] = "Inner"
    inner.set_content("Forwarded words.")
    message["From"], message["To"] = "Zoë <zoe@x.invalid>", "ann@x.invalid"
    message["Subject"] = "Keys für alle"
    message.set_content(PROSE)
    message.add_alternative(f"<h1>Keys</h1><p>{PROSE}</p>", subtype="html")
    message.add_attachment(inner)
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="k.pdf")
    for part in message.walk():
        if part.is_multipart() and part.get_boundary() is None:
            part.set_boundary("=-=boundary=-=")
    _fix_boundaries(message)
    return message.as_bytes()


def _fix_boundaries(message: EmailMessage) -> None:
    """Give the parts boundaries that are the same every time."""
    for number, part in enumerate(message.walk()):
        if part.get_content_maintype() == "multipart":
            part.set_boundary(f"=-=boundary-{number}=-=")


def _pdf(*, deflate: bool) -> bytes:
    pages = []
    for number in (1, 2):
        lines = f"BT /F1 18 Tf 72 720 Td (Chapter {number}) Tj ET\n" + "".join(
            f"BT /F1 11 Tf 72 {690 - 14 * row} Td (Line {row} of the text on this page.) Tj ET\n"
            for row in range(6)
        )
        pages.append(lines.encode())
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 8 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
        *(_pdf_page(content) for content in (5, 6)),
        *(_pdf_stream(content, deflate=deflate) for content in pages),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Outlines /First 9 0 R /Last 9 0 R /Count 1 >>",
        b"<< /Title (Chapter 1) /Parent 8 0 R /Dest [3 0 R /XYZ 72 720 0] >>",
    ]
    written, offsets = b"%PDF-1.5\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return written + (
        b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (size, table, size, len(written))
    )


def _pdf_page(content: int) -> bytes:
    return (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
        b"/Resources << /Font << /F1 7 0 R >> >> >>" % content
    )


def _pdf_stream(content: bytes, *, deflate: bool) -> bytes:
    about = b" /Filter /FlateDecode" if deflate else b""
    data = zlib.compress(content) if deflate else content
    return b"<< /Length %d%b >>\nstream\n%b\nendstream" % (len(data), about, data)


def _archives() -> list[Seed]:
    members: dict[str, bytes | str] = {
        "docs/keys.md": TEXTS["keys.md"],
        "docs/page.html": HTML,
        "letter.docx": _docx(),
        "setup.toml": TEXTS["setup.toml"],
    }
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members.items():
            data = content.encode() if isinstance(content, str) else content
            about = tarfile.TarInfo(name)
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))
    plain = target.getvalue()
    gz = zlib.compressobj(wbits=31)
    return [
        Seed("all.zip", packed(members)),
        Seed("all.tar", plain),
        Seed("all.tar.gz", gz.compress(plain) + gz.flush()),
    ]
