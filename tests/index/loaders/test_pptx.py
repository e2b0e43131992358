"""Presentations: made here part by part, so that each test shows what it is about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, chunk_structured
from groundkit_index.loaders.pptx import LOADER
from groundkit_index.loaders.protocol import Limits

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    f'xmlns:r="{OFFICE}"'
)


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in parts.items():
            container.writestr(name, content)
    return target.getvalue()


def relations(*targets: tuple[str, str, str]) -> str:
    inside = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for name, kind, target in targets
    )
    namespace = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{namespace}">{inside}</Relationships>'


def slide(*shapes: str, root: str = "sld", about: str = "") -> str:
    tree = f"<p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld>"
    return f"<p:{root} {NAMESPACES} {about}>{tree}</p:{root}>"


def shape(
    *lines: str,
    kind: str = "",
    at: tuple[int, int] | None = None,
    hidden: bool = False,
    number: str = "",
) -> str:
    held = f'<p:ph type="{kind}" idx="{number or "0"}"/>' if kind else ""
    place = ""
    if at is not None:
        place = f'<a:xfrm><a:off x="{at[0]}" y="{at[1]}"/><a:ext cx="300" cy="90"/></a:xfrm>'
    inside = "".join(
        line if line.startswith("<") else f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>"
        for line in lines
    )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="n" hidden="{int(hidden)}"/>'
        f"<p:nvPr>{held}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr>"
        f"<p:txBody>{inside}</p:txBody></p:sp>"
    )


def line(text: str, properties: str = "", level: int = 0) -> str:
    about = f'<a:pPr lvl="{level}">{properties}</a:pPr>'
    return f"<a:p>{about}<a:r><a:t>{text}</a:t></a:r></a:p>"


def table(*rows: Sequence[str], header: bool = True) -> str:
    inside = "".join(
        "<a:tr>"
        + "".join(
            one
            if one.startswith("<")
            else f"<a:tc><a:txBody><a:p><a:r><a:t>{one}</a:t></a:r></a:p></a:txBody></a:tc>"
            for one in row
        )
        + "</a:tr>"
        for row in rows
    )
    return frame(f'<a:tbl><a:tblPr firstRow="{int(header)}"/>{inside}</a:tbl>')


def frame(data: str) -> str:
    return (
        "<p:graphicFrame><a:graphic><a:graphicData>"
        f"{data}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def deck(
    *slides: str,
    notes: Mapping[int, str] | None = None,
    order: Sequence[int] | None = None,
    more: Mapping[str, str] | None = None,
    slide_relations: Sequence[tuple[str, str, str]] = (),
) -> bytes:
    listed = order or range(1, len(slides) + 1)
    parts = {
        "_rels/.rels": relations(("r", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {NAMESPACES}><p:sldIdLst>"
        + "".join(f'<p:sldId r:id="s{number}"/>' for number in listed)
        + '</p:sldIdLst><p:sldSz cx="1000" cy="700"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{number}", "slide", f"slides/slide{number}.xml") for number in listed)
        ),
        **(more or {}),
    }
    for number, content in enumerate(slides, 1):
        parts[f"ppt/slides/slide{number}.xml"] = content
        found = list(slide_relations)
        if notes and number in notes:
            found.append(("n", "notesSlide", f"../notesSlides/notesSlide{number}.xml"))
            parts[f"ppt/notesSlides/notesSlide{number}.xml"] = notes[number]
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(*found)
    return packed(parts)


def load(data: bytes, limits: Limits | None = None) -> Extraction:
    return LOADER.load(data, limits or Limits())


def text_of(*shapes: str) -> str:
    return load(deck(slide(*shapes))).text


def reason(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentRefusedError) as caught:
        load(data, limits)
    return caught.value.reason


class TestSlides:
    def test_they_come_in_the_order_of_the_show(self) -> None:
        found = load(deck(slide(shape("one")), slide(shape("two")), order=(2, 1)))
        assert found.text == "two\n\none"
        assert [(place.label, place.fragment) for place in found.places] == [
            ("slide 1", "slide=1"),
            ("slide 2", "slide=2"),
        ]

    def test_no_chunk_reaches_over_two_slides(self) -> None:
        data = deck(
            slide(shape("First", kind="title")),
            slide(shape("Second", kind="ctrTitle"), shape("Text.")),
            slide(shape("Third", kind="title")),
        )
        found = load(data)
        spans = chunk_structured(found).spans
        assert [found.place_of(span.start, span.end).page for span in spans] == [1, 2, 3]
        assert [span.heading_path for span in spans] == [("First",), ("Second",), ("Third",)]

    def test_a_slide_without_title_is_not_under_the_one_before(self) -> None:
        data = deck(slide(shape("First", kind="title"), shape("a")), slide(shape("b")))
        assert [span.heading_path for span in chunk_structured(load(data)).spans] == [
            ("First",),
            (),
        ]

    def test_hidden_slides_and_shapes_are_out_and_counted(self) -> None:
        data = deck(
            slide(shape("seen"), shape("off", at=(2000, 10)), shape("gone", hidden=True)),
            slide(shape("secret"), about='show="0"'),
            slide(shape("third")),
        )
        found = load(data)
        assert (found.text, found.hidden) == ("seen\n\nthird", len("offgonesecret"))
        assert found.notes == ("1 hidden slides left out", "13 hidden characters left out")
        assert [place.page for place in found.places] == [1, 3]

    def test_notes_follow_their_slide_under_a_label_of_their_own(self) -> None:
        notes = slide(shape("Say this.", kind="body"), shape("7", kind="sldNum"), root="notes")
        found = load(deck(slide(shape("Title", kind="title")), notes={1: notes}))
        assert found.text == "# Title\n\nSay this."
        where = found.place_of(found.text.index("Say"), len(found.text))
        assert (where.page, where.label, where.fragment) == (1, "slide 1, notes", "slide=1")


class TestShapes:
    def test_the_title_comes_first_then_from_the_top_left(self) -> None:
        found = text_of(
            shape("right", at=(500, 110)),
            shape("bottom", at=(0, 400)),
            shape("left", at=(0, 120)),
            shape("Title", kind="title", at=(0, 600)),
        )
        assert found == "# Title\n\nleft\n\nright\n\nbottom"

    def test_a_placeholder_stands_where_its_layout_says(self) -> None:
        layout = slide(
            shape("x", kind="body", number="1", at=(0, 500)),
            shape("x", kind="body", number="2", at=(0, 100)),
            root="sldLayout",
        )
        data = deck(
            slide(
                shape("low", kind="body", number="1"),
                shape("high", kind="body", number="2"),
                shape("middle", at=(0, 300)),
            ),
            more={"ppt/slideLayouts/slideLayout1.xml": layout},
            slide_relations=[("l", "slideLayout", "../slideLayouts/slideLayout1.xml")],
        )
        assert load(data).text == "high\n\nmiddle\n\nlow"

    def test_groups_are_read_inside_out_of_their_place(self) -> None:
        group = (
            '<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="200"/><a:ext cx="9" cy="9"/></a:xfrm>'
            f"</p:grpSpPr>{shape('in b', at=(0, 9000))}{shape('in a', at=(0, 8000))}</p:grpSp>"
        )
        found = text_of(shape("after", at=(0, 400)), group, shape("before", at=(0, 0)))
        assert found == "before\n\nin a\n\nin b\n\nafter"

    def test_bullets_of_the_body_nest(self) -> None:
        body = shape(
            line("one"),
            line("deeper", level=1),
            line("plain", "<a:buNone/>"),
            line("a", "<a:buAutoNum/>"),
            line("b", "<a:buAutoNum/>"),
            kind="body",
        )
        assert text_of(body) == "- one\n  - deeper\n\nplain\n\n1. a\n2. b"

    def test_numbers_dates_and_footers_of_slides_are_out(self) -> None:
        furniture = [shape("x", kind=kind) for kind in ("sldNum", "dt", "ftr")]
        field = '<a:p><a:r><a:t>Page</a:t></a:r><a:fld type="slidenum"><a:t>9</a:t></a:fld></a:p>'
        assert text_of(*furniture, shape(field)) == "Page"

    def test_breaks_in_a_title_do_not_glue_words(self) -> None:
        broken = "<a:p><a:r><a:t>One</a:t></a:r><a:br/><a:r><a:t>Two</a:t></a:r></a:p>"
        assert text_of(shape(broken, kind="title")) == "# One Two"

    def test_tables_are_kept_with_merged_cells_once(self) -> None:
        merged = (
            '<a:tc hMerge="1"><a:txBody><a:p><a:r><a:t>ghost</a:t></a:r></a:p></a:txBody></a:tc>'
        )
        found = text_of(table(("Name", "Price"), ("Tea", "3"), ("both", merged)))
        assert found == "| Name | Price |\n| --- | --- |\n| Tea | 3 |\n| both |  |"
        assert "---" not in text_of(table(("a", "1"), ("b", "2"), header=False))

    def test_titles_of_charts_and_texts_of_diagrams_are_read(self) -> None:
        title = "<c:title><c:tx><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:tx></c:title>"
        point = "<dgm:pt{}><dgm:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></dgm:t></dgm:pt>"
        points = point.format("", "Plan") + point.format(' type="sibTrans"', "arrow")
        data = deck(
            slide(frame('<c:chart r:id="c"/>'), frame('<dgm:relIds r:dm="d"/>')),
            more={
                "ppt/charts/chart1.xml": f"<c:chartSpace {NAMESPACES}>{title}</c:chartSpace>",
                "ppt/diagrams/data1.xml": f"<dgm:dataModel {NAMESPACES}>{points}</dgm:dataModel>",
            },
            slide_relations=[
                ("c", "chart", "../charts/chart1.xml"),
                ("d", "diagramData", "../diagrams/data1.xml"),
            ],
        )
        assert load(data).text == "Sales\n\nPlan"


class TestRefusals:
    def test_a_password(self) -> None:
        ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)
        assert reason(ole + "EncryptedPackage".encode("utf-16-le")) == "encrypted"

    def test_a_cut_off_file(self) -> None:
        data = deck(slide(shape("text")))
        assert {reason(data[:length]) for length in range(0, len(data) - 1, 97)} == {"broken"}

    def test_too_many_slides(self) -> None:
        data = deck(slide(shape("one")), slide(shape("two")))
        assert reason(data, Limits(pages=1)) == "over_limit"

    def test_groups_that_nest_without_end(self) -> None:
        deep = "<p:grpSp>" * 120 + "</p:grpSp>" * 120
        assert reason(deck(slide(deep))) == "over_limit"
        assert reason(deck(slide("<p:grpSp>" * 400 + "</p:grpSp>" * 400))) == "over_limit"

    def test_a_slide_that_is_listed_again_and_again(self) -> None:
        data = deck(slide(shape("a " * 100_000)), order=[1] * 400)
        limits = Limits(unpacked_bytes=2**20, ratio=10_000)
        assert reason(data, limits) == "over_limit"


def test_a_missing_slide_does_not_lose_the_others() -> None:
    with zipfile.ZipFile(io.BytesIO(deck(slide(shape("one")), slide(shape("two"))))) as container:
        parts = {name: container.read(name) for name in container.namelist()}
    del parts["ppt/slides/slide1.xml"]
    found = load(packed(parts))
    assert (found.text, found.places[0].page) == ("two", 2)
