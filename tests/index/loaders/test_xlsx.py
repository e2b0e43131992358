"""Spreadsheets: made here part by part, so that each test shows what it is about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from html import escape

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.model import ChunkSettings
from groundkit_core.structure import Extraction, chunk_structured
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.xlsx import LOADER
from groundkit_index.loaders.xlsx.formats import format_of, shown

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

Value = str | float | None


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


def cell(name: str, value: Value, style: int = 0) -> str:
    if isinstance(value, str):
        return f'<c r="{name}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{name}" s="{style}"><v>{value!r}</v></c>' if value is not None else ""


def row(number: int, *values: Value, about: str = "") -> str:
    names = (f"{'ABCDEFGHIJ'[place]}{number}" for place in range(len(values)))
    cells = "".join(map(cell, names, values))
    return f'<row r="{number}" {about}>{cells}</row>'


def sheet(*rows: str, before: str = "", after: str = "") -> str:
    inside = f"{before}<sheetData>{''.join(rows)}</sheetData>{after}"
    return f'<worksheet xmlns="{MAIN}">{inside}</worksheet>'


def workbook(
    sheets: Mapping[str, str],
    *,
    states: Mapping[str, str] | None = None,
    about: str = "",
    parts: Mapping[str, str] | None = None,
) -> bytes:
    listed = "".join(
        f'<sheet name="{escape(name)}" state="{(states or {}).get(name, "visible")}" '
        f'r:id="s{number}"/>'
        for number, name in enumerate(sheets)
    )
    targets = [
        (f"s{number}", "worksheet", f"worksheets/{number}.xml") for number in range(len(sheets))
    ]
    return packed(
        {
            "_rels/.rels": relations(("r", "officeDocument", "/xl/workbook.xml")),
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
            f"<workbookPr {about}/><sheets>{listed}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relations(
                *targets,
                ("t", "sharedStrings", "sharedStrings.xml"),
                ("y", "styles", "styles.xml"),
            ),
            **{f"xl/worksheets/{number}.xml": one for number, one in enumerate(sheets.values())},
            **(parts or {}),
        }
    )


def load(data: bytes, limits: Limits | None = None) -> Extraction:
    return LOADER.load(data, limits or Limits())


def text_of(*rows: str, before: str = "", after: str = "") -> str:
    """The text of a single sheet without its heading."""
    return load(workbook({"S": sheet(*rows, before=before, after=after)})).text[5:]


def label_of(found: Extraction, text: str) -> str:
    start = found.text.index(text)
    return found.place_of(start, start + len(text)).label


def reason(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentRefusedError) as caught:
        load(data, limits)
    return caught.value.reason


PRICES = (
    row(1, "Name", "Price"),
    row(2, "Tea", 3.0),
    row(3, "Cake", 4.5),
)


class TestTables:
    def test_a_sheet_is_a_heading_over_its_table(self) -> None:
        found = load(workbook({"Prices": sheet(*PRICES)}))
        assert found.text == (
            "# Prices\n\n| Name | Price |\n| --- | --- |\n| Tea | 3 |\n| Cake | 4.5 |"
        )

    def test_a_first_row_with_numbers_is_no_header(self) -> None:
        assert text_of(row(1, "a", 1), row(2, "b", 2)) == "| a | 1 |\n| b | 2 |"

    def test_titles_above_a_table_lead_to_it(self) -> None:
        found = text_of(row(1, "Prices 2024"), row(2, "Name", "Price"), row(3, "Tea", 3))
        assert found == "Prices 2024\n\n| Name | Price |\n| --- | --- |\n| Tea | 3 |"

    def test_tables_apart_are_tables_of_their_own(self) -> None:
        found = text_of(
            row(1, "a", 1, None, None, "x", 7),
            row(2, "b", 2, None, None, "y", 8),
            row(5, "c", 3),
        )
        assert found.split("\n\n") == ["| a | 1 |\n| b | 2 |", "| x | 7 |\n| y | 8 |", "| c | 3 |"]

    def test_a_label_stays_with_the_value_beside_it(self) -> None:
        found = text_of(row(1, "Name", None, "Bob"), row(2, "Age", None, 7))
        assert found == "| Name | Bob |\n| --- | --- |\n| Age | 7 |"

    def test_a_single_column_is_written_as_lines(self) -> None:
        assert text_of(row(1, "one"), row(2, "two")) == "one\ntwo"

    def test_merged_cells_are_written_once(self) -> None:
        merged = '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>'
        found = text_of(row(1, "a", "ghost", 1), row(2, "ghost", "ghost", 2), after=merged)
        assert found == "| a | 1 |\n|  | 2 |"

    def test_chunks_are_split_between_rows_under_the_header(self) -> None:
        rows = [row(number, f"name {number}", number * 1000) for number in range(2, 60)]
        found = load(workbook({"S": sheet(row(1, "Name", "Price"), *rows)}))
        spans = chunk_structured(found, ChunkSettings(target=300, cap=400, overlap=0)).spans
        texts = [found.text[span.start : span.end] for span in spans]
        assert all(text.rstrip().endswith("|") for text in texts)
        assert {span.heading_path for span in spans[1:]} == {("S", "Name | Price")}


class TestPlaces:
    def test_a_span_is_at_the_rows_it_touches(self) -> None:
        found = load(workbook({"Prices": sheet(*PRICES)}))
        assert label_of(found, "| Tea | 3 |\n| Cake | 4.5 |") == "Prices!A2:B3"
        assert label_of(found, "4.5") == "Prices!A3:B3"
        assert label_of(found, "# Prices") == "Prices"
        assert label_of(found, found.text) == "Prices!A1:B3"

    def test_a_fragment_can_stand_in_a_link(self) -> None:
        found = load(workbook({"My 'own' #1": sheet(*PRICES)}))
        where = found.place_of(len(found.text) - 5, len(found.text))
        assert where.label == "'My ''own'' #1'!A3:B3"
        assert where.fragment == "'My%20''own''%20%231'!A3:B3"

    def test_empty_rows_and_columns_count(self) -> None:
        found = load(workbook({"S": sheet('<row r="7"><c r="AA7"><v>5</v></c></row>')}))
        assert label_of(found, "5") == "S!AA7"

    def test_cells_without_names_follow_one_another(self) -> None:
        rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>"
        found = load(workbook({"S": sheet(rows)}))
        assert label_of(found, "3") == "S!A2:B2"

    def test_each_chunk_is_on_one_sheet(self) -> None:
        found = load(workbook({"One": sheet(*PRICES), "Two": sheet(*PRICES)}))
        spans = chunk_structured(found).spans
        assert [found.place_of(span.start, span.end).label for span in spans] == [
            "One!A1:B3",
            "Two!A1:B3",
        ]
        assert [span.heading_path for span in spans] == [("One",), ("Two",)]

    def test_lines_and_titles_have_places(self) -> None:
        found = load(
            workbook({"S": sheet(row(1, "one"), row(2, "two"), row(4, "T"), row(5, 1, 2))})
        )
        assert label_of(found, "two") == "S!A2"
        assert label_of(found, "T") == "S!A4"


class TestValues:
    @pytest.mark.parametrize(
        ("code", "value", "text"),
        [
            ("General", 1.0, "1"),
            ("General", 0.1 + 0.2, "0.3"),
            ("General", 1234567.891, "1234567.891"),
            ("General", 1e20, "1E+20"),
            ("General", -0.000012, "-0.000012"),
            ("0.00", 12.5, "12.50"),
            ("#,##0.##", 1234.5, "1234.5"),
            ("0.0%", 0.1234, "12.3%"),
            ("0%", 1, "100%"),
            ('"$"#,##0.00', -5, "-$5.00"),
            ("[$€-407] 0.00", 5, "€ 5.00"),
            ('0.0" kg"', 3, "3.0 kg"),
            ("0.00_);[Red](0.00)", -2, "-2.00"),
            ("0.00", -0.001, "0.00"),
            ("yyyy-mm-dd", 45292, "2024-01-01"),
            ("dd/mm/yy", 1, "1900-01-01"),
            ("d. mmm yyyy hh:mm", 45292.5, "2024-01-01 12:00"),
            ("m/d/yy h:mm", 45292, "2024-01-01"),
            ("hh:mm", 0.75, "18:00:00"),
            ("[h]:mm:ss", 1.5, "36:00:00"),
            ("# ?/?", 0.5, "0.5"),
            ("0.00E+00", 12345, "12345"),
            ("000-00-0000", 123456789, "123456789"),
            ("0,", 12345, "12345"),
            ("yyyy-mm-dd", -1, "-1"),
            (";;;", 7, ""),
        ],
    )
    def test_numbers_are_shown_as_a_person_reads_them(
        self, code: str, value: float, text: str
    ) -> None:
        assert shown(value, format_of(code)) == text

    def test_cells_use_the_formats_of_their_workbook(self) -> None:
        styles = (
            f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="164" formatCode="0.000"/>'
            '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/>'
            "</cellXfs></styleSheet>"
        )
        cells = cell("A1", 45292.0, 1) + cell("B1", 2.0, 2) + cell("C1", 2.0, 99)
        data = {"S": sheet(f'<row r="1">{cells}</row>')}
        assert load(workbook(data, parts={"xl/styles.xml": styles})).text[5:] == (
            "| 2024-01-01 | 2.000 | 2 |"
        )
        from_1904 = workbook(data, about='date1904="1"', parts={"xl/styles.xml": styles})
        assert "2028-01-02" in load(from_1904).text

    def test_strings_are_shared_without_their_pronunciation(self) -> None:
        strings = (
            f'<sst xmlns="{MAIN}"><si><t>plain</t></si><si><r><t>ri</t></r><r><t>ch</t></r>'
            "<rPh><t>reading</t></rPh></si><si><t>a_x000D_b</t></si></sst>"
        )
        cells = "".join(f'<c t="s"><v>{number}</v></c>' for number in (0, 1, 2, 9))
        data = workbook(
            {"S": sheet(f"<row>{cells}</row>")}, parts={"xl/sharedStrings.xml": strings}
        )
        assert load(data).text[5:] == "| plain | rich | a b |"

    def test_formulas_show_their_stored_result(self) -> None:
        cells = (
            '<c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>X</f><v>two</v></c>'
            '<c r="C1" t="b"><v>1</v></c><c r="D1" t="e"><v>#N/A</v></c><c r="E1"><f>1</f></c>'
        )
        found = load(workbook({"S": sheet(f"<row>{cells}</row>")}))
        assert found.text[5:] == "| 2 | two | TRUE | #N/A |"
        assert found.notes == ("1 formulas without a stored result left out",)

    def test_bars_and_line_breaks_do_not_break_a_table(self) -> None:
        assert text_of(row(1, "a|b", "c\nd")) == "| a\\|b | c d |"


class TestHidden:
    def test_sheets_rows_and_columns_are_out_and_counted(self) -> None:
        columns = '<cols><col min="2" max="2" hidden="1"/></cols>'
        rows = (
            row(1, "a", "secret", "b"),
            row(2, "buried", about='hidden="1"'),
            row(3, "c", None, 1),
        )
        data = workbook(
            {"Seen": sheet(*rows, before=columns), "Notes": sheet(row(1, "x" * 10))},
            states={"Notes": "veryHidden"},
        )
        found = load(data)
        assert found.text == "# Seen\n\n| a | b |\n\n| c | 1 |"
        assert found.hidden == len("secret") + len("buried") + 10
        assert found.notes == ("1 hidden sheets left out", "22 hidden characters left out")

    def test_empty_sheets_are_skipped(self) -> None:
        found = load(workbook({"Empty": sheet(), "Full": sheet(row(1, "x"))}))
        assert found.text == "# Full\n\nx"


class TestLimits:
    def test_a_stray_cell_does_not_explode(self) -> None:
        last = '<row r="1048576"><c r="XFD1048576"><v>9</v></c></row>'
        found = load(workbook({"S": sheet(*PRICES, last)}))
        assert label_of(found, "9") == "S!XFD1048576"
        assert len(found.text) < 200

    def test_a_diagonal_is_written_without_its_empty_cells(self) -> None:
        names = [
            f"{chr(65 + number // 26)}{chr(65 + number % 26)}{number + 1}" for number in range(600)
        ]
        rows = [
            f'<row r="{number + 1}">{cell(name, number)}{cell("XFD1", 1)}</row>'
            for number, name in enumerate(names)
        ]
        assert len(text_of(*rows)) < 20_000

    def test_many_wide_merges_take_no_time(self) -> None:
        merges = '<mergeCell ref="A1:XFD1048576"/>' * 5_000
        rows = [row(number, "a", "b") for number in range(1, 500)]
        assert text_of(*rows, after=f"<mergeCells>{merges}</mergeCells>") == "a"

    def test_one_long_string_in_very_many_cells(self) -> None:
        strings = f'<sst xmlns="{MAIN}"><si><t>{"long " * 6_000}</t></si></sst>'
        cells = '<row><c t="s"><v>0</v></c></row>' * 2_000
        data = workbook({"S": sheet(cells)}, parts={"xl/sharedStrings.xml": strings})
        assert reason(data, Limits(characters=1_000_000)) == "over_limit"

    def test_too_many_sheets(self) -> None:
        data = workbook({str(number): sheet(row(1, "x")) for number in range(3)})
        assert reason(data, Limits(pages=2)) == "over_limit"

    def test_a_bomb(self) -> None:
        assert reason(workbook({"S": sheet(row(1, "a" * 9_000_000))})) == "over_limit"

    def test_a_password(self) -> None:
        ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)
        assert reason(ole + "EncryptedPackage".encode("utf-16-le")) == "encrypted"

    def test_a_cut_off_file(self) -> None:
        data = workbook({"S": sheet(*PRICES)})
        assert {reason(data[:length]) for length in range(0, len(data) - 1, 97)} == {"broken"}

    def test_entities(self) -> None:
        one = '<!DOCTYPE w [<!ENTITY e "x">]>' + sheet(row(1, "a")).replace(">a<", ">a&e;b<")
        assert reason(workbook({"S": one})) == "broken"
