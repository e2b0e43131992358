"""Word documents: made here part by part, so that each test shows what it is about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, chunk_structured
from groundkit_index.loaders.docx import LOADER
from groundkit_index.loaders.protocol import Limits

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
STYLES = """
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Eigene"><w:name w:val="Eigene"/>
  <w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/>
  <w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="V1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Quelltext"><w:name w:val="Source Code"/></w:style>
<w:style w:type="paragraph" w:styleId="Liste"><w:name w:val="List Bullet"/>
  <w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="character" w:styleId="Geheim"><w:name w:val="Secret"/>
  <w:rPr><w:vanish/></w:rPr></w:style>
"""
NUMBERING = """
<w:abstractNum w:abstractNumId="0">
  <w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl>
  <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
  <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>
    <w:lvlText w:val="%1.%2)"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
"""


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in parts.items():
            container.writestr(name, content)
    return target.getvalue()


def relations(**targets: str) -> str:
    inside = "".join(
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for kind, target in targets.items()
    )
    namespace = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{namespace}">{inside}</Relationships>'


def word(body: str, **more: str) -> bytes:
    parts = {
        "_rels/.rels": relations(officeDocument="word/document.xml"),
        "word/_rels/document.xml.rels": relations(
            styles="styles.xml",
            numbering="numbering.xml",
            footnotes="footnotes.xml",
            endnotes="endnotes.xml",
        ),
        "word/document.xml": f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {NAMESPACES}>{STYLES}</w:styles>",
        "word/numbering.xml": f"<w:numbering {NAMESPACES}>{NUMBERING}</w:numbering>",
    }
    for kind, content in more.items():
        parts[f"word/{kind}.xml"] = f"<w:{kind} {NAMESPACES}>{content}</w:{kind}>"
    return packed(parts)


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs: str, style: str = "", numbering: tuple[int, int] | None = None) -> str:
    about = f'<w:pStyle w:val="{style}"/>' if style else ""
    if numbering is not None:
        number, level = numbering
        about += f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    inside = "".join(one if one.startswith("<") else run(one) for one in runs)
    return f"<w:p><w:pPr>{about}</w:pPr>{inside}</w:p>"


def cell(*blocks: str, properties: str = "") -> str:
    inside = "".join(one if one.startswith("<") else paragraph(one) for one in blocks)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside}</w:tc>"


def table(*rows: tuple[str, ...]) -> str:
    inside = "".join(
        "<w:tr>" + "".join(one if one.startswith("<") else cell(one) for one in row) + "</w:tr>"
        for row in rows
    )
    return f"<w:tbl>{inside}</w:tbl>"


def load(data: bytes, limits: Limits | None = None) -> Extraction:
    return LOADER.load(data, limits or Limits())


def text_of(body: str, **more: str) -> str:
    return load(word(body, **more)).text


def reason(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentRefusedError) as caught:
        load(data, limits)
    return caught.value.reason


class TestStructure:
    def test_headings_are_known_by_style_and_by_what_a_style_is_based_on(self) -> None:
        body = (
            paragraph("Intro", style="berschrift1")
            + paragraph("Detail", style="Kapitel")
            + paragraph("Body.")
            + paragraph("Mine", style="Eigene")
        )
        assert text_of(body) == "# Intro\n\n## Detail\n\nBody.\n\n# Mine"

    def test_chunks_have_the_headings_above_them(self) -> None:
        body = (
            paragraph("Intro", style="berschrift1")
            + paragraph("Detail", style="Kapitel")
            + paragraph("Body.")
        )
        spans = chunk_structured(load(word(body))).spans
        assert [span.heading_path for span in spans] == [("Intro", "Detail")]

    def test_an_unknown_style_is_body_text(self) -> None:
        assert text_of(paragraph("Text", style="Heading1")) == "Text"

    def test_headings_are_found_without_any_styles(self) -> None:
        parts = {
            "_rels/.rels": relations(officeDocument="document.xml"),
            "document.xml": f"<w:document {NAMESPACES}><w:body>"
            + paragraph("Top", style="Heading2")
            + "</w:body></w:document>",
        }
        assert load(packed(parts)).text == "## Top"

    def test_bullets_nest_and_numbers_are_counted(self) -> None:
        body = (
            paragraph("one", style="Liste")
            + paragraph("deeper", numbering=(1, 1))
            + paragraph("first", numbering=(2, 0))
            + paragraph("part", numbering=(2, 1))
            + paragraph("part", numbering=(2, 1))
            + paragraph("second", numbering=(2, 0))
            + paragraph("part", numbering=(2, 1))
        )
        assert text_of(body).splitlines() == [
            "- one",
            "  - deeper",
            "1. first",
            "  1.a) part",
            "  1.b) part",
            "2. second",
            "  2.a) part",
        ]

    def test_numbers_of_headings_are_part_of_them(self) -> None:
        body = paragraph("Scope", style="berschrift1", numbering=(2, 0))
        assert text_of(body) == "# 1. Scope"

    def test_code_keeps_its_blanks(self) -> None:
        body = paragraph("def f():", style="Quelltext") + paragraph("    pass", style="Quelltext")
        assert text_of(body) == "```\ndef f():\n    pass\n```"

    def test_a_table_of_contents_is_left_out_and_reported(self) -> None:
        found = load(word(paragraph("Intro 1", style="V1") + paragraph("Body.")))
        assert found.text == "Body."
        assert found.notes == ("1 lines of a table of contents left out",)

    def test_order_of_paragraphs_tables_and_controls_is_kept(self) -> None:
        control = f"<w:sdt><w:sdtContent>{paragraph('three')}</w:sdtContent></w:sdt>"
        body = paragraph("one") + table(("a", "b"), ("c", "d")) + control + paragraph("four")
        found = text_of(body)
        assert [found.index(word) for word in ("one", "| a", "three", "four")] == sorted(
            found.index(word) for word in ("one", "| a", "three", "four")
        )


class TestTables:
    def test_cells_stand_between_bars_under_a_header(self) -> None:
        body = table(("Name", "Price"), ("Tea", "3"), ("Cake", "4"))
        assert text_of(body) == "| Name | Price |\n| --- | --- |\n| Tea | 3 |\n| Cake | 4 |"

    def test_merged_cells_are_written_once(self) -> None:
        wide = cell("wide", properties='<w:gridSpan w:val="2"/>')
        top = cell("tall", properties='<w:vMerge w:val="restart"/>')
        below = cell("ghost", properties="<w:vMerge/>")
        body = table(("a", "b", "c"), (wide, "x"), (top, "y", "z"), (below, "p", "q"))
        lines = text_of(body).splitlines()
        assert lines[2:] == ["| wide |  | x |", "| tall | y | z |", "|  | p | q |"]

    def test_a_title_above_the_columns_leads_to_the_table(self) -> None:
        title = cell("Prices 2024", properties='<w:gridSpan w:val="2"/>')
        body = table((title,), ("Name", "Price"), ("Tea", "3"))
        assert text_of(body).startswith("Prices 2024\n\n| Name | Price |\n| --- | --- |")

    def test_a_table_in_a_cell_is_written_in_it(self) -> None:
        inner = table(("x", "1"), ("y", "2"))
        body = table(("a", "b"), (cell(inner, paragraph("end")), "c"))
        assert "| x, 1 y, 2 end | c |" in text_of(body)

    def test_a_table_of_one_cell_is_a_box(self) -> None:
        body = table((cell(paragraph("Note", style="Kapitel"), paragraph("Text.")),))
        assert text_of(body) == "## Note\n\nText."

    def test_rows_that_were_deleted_are_out(self) -> None:
        deleted = "<w:tr><w:trPr><w:del/></w:trPr>" + cell("gone") + cell("too") + "</w:tr>"
        body = table(("a", "b"), ("c", "d")).replace("</w:tbl>", f"{deleted}</w:tbl>")
        assert "gone" not in text_of(body)


class TestInline:
    def test_tracked_insertions_are_in_and_deletions_out(self) -> None:
        body = paragraph(
            "The ",
            f"<w:ins>{run('new ')}</w:ins>",
            "<w:del><w:r><w:delText>old </w:delText></w:r></w:del>",
            f"<w:moveFrom>{run('moved ')}</w:moveFrom>",
            "text",
        )
        assert text_of(body) == "The new text"

    def test_a_deleted_paragraph_end_joins_the_next_one(self) -> None:
        first = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + run("Hello ") + "</w:p>"
        assert text_of(first + paragraph("world")) == "Hello world"

    def test_hidden_text_is_out_and_counted(self) -> None:
        body = paragraph(
            "seen",
            run("secret", "<w:vanish/>"),
            run("key", '<w:rStyle w:val="Geheim"/>'),
            run(" too", '<w:vanish w:val="0"/>'),
        )
        found = load(word(body))
        assert (found.text, found.hidden) == ("seen too", 9)
        assert found.notes == ("9 hidden characters left out",)

    def test_fields_show_their_result_not_their_code(self) -> None:
        body = paragraph(
            "See ",
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r>',
            "<w:r><w:instrText>REF _x</w:instrText></w:r>",
            run("code"),
            '<w:r><w:fldChar w:fldCharType="separate"/></w:r>',
            run("page 3"),
            '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
            f"<w:fldSimple>{run('!')}</w:fldSimple>",
        )
        assert text_of(body) == "See page 3!"

    def test_a_field_without_end_does_not_swallow_the_document(self) -> None:
        body = paragraph('<w:r><w:fldChar w:fldCharType="begin"/></w:r>') + paragraph("kept")
        assert text_of(body) == "kept"

    def test_links_tabs_breaks_and_hyphens(self) -> None:
        body = paragraph(
            f"<w:hyperlink>{run('link')}</w:hyperlink>",
            "<w:r><w:tab/><w:t>a</w:t><w:br/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t></w:r>",
            run("co\u00adop"),
        )
        assert text_of(body) == "link a\nb-ccoop"

    def test_words_split_over_runs_stay_whole(self) -> None:
        assert text_of(paragraph(run("ex"), run("ample"))) == "example"

    def test_formulas_stand_on_one_line(self) -> None:
        fraction = (
            "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num>"
            "<m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>"
        )
        assert text_of(paragraph("x = ", fraction)) == "x = a/b"

    def test_the_text_of_ruby_is_kept_without_its_pronunciation(self) -> None:
        ruby = (
            f"<w:r><w:ruby><w:rt>{run('とう')}</w:rt>"
            f"<w:rubyBase>{run('東')}</w:rubyBase></w:ruby></w:r>"
        )
        assert text_of(paragraph(ruby, "京")) == "東京"

    def test_text_boxes_are_read_once(self) -> None:
        box = f"<w:txbxContent>{paragraph('boxed')}</w:txbxContent>"
        both = (
            "<w:r><mc:AlternateContent>"
            f"<mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
            f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>"
            "</mc:AlternateContent></w:r>"
        )
        assert text_of(paragraph("around", both)) == "around\n\nboxed"

    def test_notes_stand_at_the_end_of_their_section(self) -> None:
        body = (
            paragraph("Claim", '<w:r><w:footnoteReference w:id="2"/></w:r>')
            + paragraph("More.")
            + paragraph("Next", style="berschrift1")
            + paragraph("End", '<w:r><w:endnoteReference w:id="3"/></w:r>')
        )
        found = text_of(
            body,
            footnotes=f'<w:footnote w:id="2">{paragraph("Source.")}</w:footnote>',
            endnotes=f'<w:endnote w:id="3">{paragraph("Late.")}</w:endnote>',
        )
        assert found == "Claim[^1]\n\nMore.\n\n[^1]: Source.\n\n# Next\n\nEnd[^e1]\n\n[^e1]: Late."

    def test_every_script_survives(self) -> None:
        assert text_of(paragraph("שלום 日本語 naïve 🎉")) == "שלום 日本語 naïve 🎉"


class TestTitle:
    @staticmethod
    def titled(title: str, body: str) -> str:
        core = (
            '<cp:coreProperties xmlns:cp="http://x" '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title>'
            "</cp:coreProperties>"
        )
        kind = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/"
        rels = relations(officeDocument="word/document.xml").replace(
            "</Relationships>",
            f'<Relationship Id="c" Type="{kind}core-properties" Target="core.xml"/>'
            "</Relationships>",
        )
        with zipfile.ZipFile(io.BytesIO(word(body))) as container:
            parts = {name: container.read(name) for name in container.namelist()}
        return load(
            packed({**parts, "_rels/.rels": rels.encode(), "core.xml": core.encode()})
        ).title

    def test_it_comes_from_the_properties(self) -> None:
        assert self.titled("Annual report", paragraph("x")) == "Annual report"

    @pytest.mark.parametrize("title", ["", "Microsoft Word - a.doc", "Untitled", "Document1"])
    def test_what_programs_put_there_is_none(self, title: str) -> None:
        assert self.titled(title, paragraph("x")) == ""

    def test_what_a_reader_sees_comes_first(self) -> None:
        assert self.titled("Old template", paragraph("The plan", style="Titel")) == "The plan"


class TestRefusals:
    def test_a_password(self) -> None:
        ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)
        assert reason(ole + "EncryptedPackage".encode("utf-16-le")) == "encrypted"
        assert reason(ole + "WordDocument".encode("utf-16-le")) == "broken"

    def test_a_cut_off_file(self) -> None:
        data = word(paragraph("text"))
        assert {reason(data[:length]) for length in range(0, len(data) - 1, 97)} == {"broken"}

    def test_another_kind_of_package(self) -> None:
        parts = {"_rels/.rels": relations(officeDocument="a.xml"), "a.xml": "<a/>"}
        assert reason(packed(parts)) == "broken"
        assert reason(packed({"a.txt": "x"})) == "broken"

    def test_a_bomb(self) -> None:
        assert reason(word(paragraph("a" * 8_000_000))) == "over_limit"

    def test_nesting_without_end(self) -> None:
        deep = "<w:tbl><w:tr><w:tc>" * 200 + "</w:tc></w:tr></w:tbl>" * 200
        assert reason(word(deep)) == "over_limit"
        boxes = "<w:p><w:r><w:pict><w:txbxContent>" * 50 + paragraph("core")
        boxes += "</w:txbxContent></w:pict></w:r></w:p>" * 50
        assert text_of(boxes) == "core"

    def test_more_text_than_allowed(self) -> None:
        body = paragraph("word " * 100) * 50
        assert reason(word(body), Limits(characters=10_000)) == "over_limit"

    @pytest.mark.parametrize("entity", ['SYSTEM "file:///etc/hostname"', '"inside"'])
    def test_entities(self, entity: str) -> None:
        assert reason(self.with_entities(f"<!ENTITY e {entity}>", "a&e;b")) == "broken"

    def test_entities_that_grow_without_end(self) -> None:
        layers = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
        assert reason(self.with_entities(f'<!ENTITY l0 "lol">{layers}', "&l9;")) == "over_limit"

    @staticmethod
    def with_entities(declared: str, text: str) -> bytes:
        body = f"<w:document {NAMESPACES}><w:body>{paragraph(text)}</w:body></w:document>"
        return packed(
            {
                "_rels/.rels": relations(officeDocument="word/document.xml"),
                "word/document.xml": f"<!DOCTYPE w [{declared}]>{body}",
            }
        )


def test_the_strict_variant_of_the_standard_is_read() -> None:
    with zipfile.ZipFile(io.BytesIO(word(paragraph("Top", style="berschrift1")))) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    strict = {
        name: content.replace(
            b"http://schemas.openxmlformats.org/officeDocument/2006/",
            b"http://purl.oclc.org/ooxml/officeDocument/",
        ).replace(
            b"http://schemas.openxmlformats.org/wordprocessingml/2006/",
            b"http://purl.oclc.org/ooxml/wordprocessingml/",
        )
        for name, content in parts.items()
    }
    assert load(packed(strict)).text == "# Top"


def test_names_of_parts_do_not_care_for_case() -> None:
    with zipfile.ZipFile(io.BytesIO(word(paragraph("Top", style="berschrift1")))) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    moved = {name.replace("word/", "Word/"): content for name, content in parts.items()}
    assert load(packed(moved)).text == "# Top"


def test_the_same_bytes_give_the_same_text() -> None:
    data = word(paragraph("a", numbering=(2, 0)) + paragraph("b", numbering=(2, 0)))
    assert load(data) == load(data)
