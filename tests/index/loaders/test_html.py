from __future__ import annotations

import time

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, TextBuilder, chunk_structured
from groundkit_index.loaders.html import LOADER, add_html
from groundkit_index.loaders.protocol import Limits

LIMITS = Limits()
SENTENCE = "The pump must be primed before the first start of the season. "


def load(markup: str | bytes) -> Extraction:
    data = markup.encode() if isinstance(markup, str) else markup
    return LOADER.load(data, LIMITS)


def text(markup: str | bytes) -> str:
    return load(markup).text


def paragraphs(count: int) -> str:
    return "".join(f"<p>{SENTENCE * 3}{number}</p>" for number in range(count))


class TestWords:
    @pytest.mark.parametrize(
        ("markup", "expected"),
        [
            ("<p><b>foo</b>bar", "foobar"),
            ("<p><span>a</span><span>b</span> <i>c</i>", "ab c"),
            ("<p>one\n   two\t three", "one two three"),
            ("<p>one<br>two", "one\ntwo"),
            ("<div>one</div>two<div>three</div>", "one\n\ntwo\n\nthree"),
            ("<p>hy&shy;phen", "hyphen"),
            ("<p>a&nbsp;b &lt;c&gt; &eacute; &#x4e2d;", "a b <c> é 中"),
            ("<p>10<sup>6</sup> and x<sup>2</sup>", "10^6 and x2"),
            ('<p>word<sup><a href="#n">1</a></sup> more', "word[1] more"),
            ("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", "漢(かん)字"),
            ('<p>a<img src="x" alt="A cat">b', "a A cat b"),
            ("<p>see <a href='x'>the manual</a>.", "see the manual."),
            ("<p>שלום <b>world</b> مرحبا", "שלום world مرحبا"),
            ("a page without any element", "a page without any element"),
        ],
    )
    def test_are_neither_glued_nor_split(self, markup: str, expected: str) -> None:
        assert text(markup) == expected

    def test_of_cells_stay_apart_in_tables_for_layout(self) -> None:
        assert text("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>") == "a\n\nb"

    def test_of_a_formula_are_its_tex(self) -> None:
        tex = '<annotation encoding="application/x-tex">{\\displaystyle x^2}</annotation>'
        assert text(f"<p>if <math><mi>x</mi><mn>2</mn>{tex}</math> holds") == "if x^2 holds"
        assert text("<p><math><mi>x</mi><mn>2</mn></math>") == "x 2"


class TestStructure:
    def test_headings_lead_the_chunks_below_them(self) -> None:
        found = load(f"<h1>Pumps</h1>{paragraphs(9)}<h2>Start</h2>{paragraphs(9)}")
        paths = {span.heading_path for span in chunk_structured(found).spans}
        assert paths == {("Pumps",), ("Pumps", "Start")}

    def test_lists_keep_their_nesting_and_numbers(self) -> None:
        markup = "<ol start=3><li>a<ul><li>b</li></ul></li><li>c</li></ol>"
        assert text(markup) == "3. a\n  - b\n4. c"

    def test_an_item_may_have_paragraphs(self) -> None:
        assert text("<ul><li><p>one</p><p>two</p></li></ul>") == "- one\n\ntwo"

    def test_terms_lead_their_definitions(self) -> None:
        found = load("<dl><dt>Term</dt><dd>What it is</dd></dl>")
        assert found.text == "Term\n\nWhat it is"
        assert [piece.leads for piece in found.pieces] == [True, False]

    def test_a_table_has_its_header_and_caption(self) -> None:
        rows = "<tr><th>Part<th>Price<tr><td>Seal<td>3 | 4<tr><td colspan=2>none"
        found = load(f"<table><caption>Parts</caption>{rows}</table>")
        table = "| Part | Price |\n| --- | --- |\n| Seal | 3 \\| 4 |\n| none |  |"
        assert found.text == f"Parts\n\n{table}"
        assert found.pieces[1].header == "Part | Price"

    def test_a_cell_of_several_blocks_is_one_line(self) -> None:
        markup = "<table><tr><td><p>a</p><ul><li>b<li>c</ul><td>d<br>e</table>"
        assert text(markup) == "| a b c | d e |"

    def test_a_table_around_a_table_is_read_as_blocks(self) -> None:
        inner = "<table><tr><td>a<td>b</table>"
        assert text(f"<table><tr><td>left<td>{inner}</table>") == "left\n\n| a | b |"

    def test_a_table_for_presentation_is_read_as_blocks(self) -> None:
        assert text("<table role=presentation><tr><td>a<td>b</table>") == "a\n\nb"
        note = "<table><tr><td rowspan=2><img src=x alt='[Note]'><th>Note<tr><td>Careful.</table>"
        assert text(note) == "[Note]\n\nNote\n\nCareful."

    def test_code_keeps_its_blanks_and_language(self) -> None:
        code = '<pre><code class="language-python">def f():\n    <b>return</b> 1\n</code></pre>'
        assert text(code) == "```python\ndef f():\n    return 1\n```"
        sphinx = '<div class="highlight-c notranslate"><div><pre>int  x;</pre></div></div>'
        assert text(sphinx) == "```c\nint  x;\n```"
        assert text("<pre>a<br>b</pre>") == "```\na\nb\n```"

    def test_figures_and_details_are_read(self) -> None:
        figure = '<figure><img src=x alt="A pump"><figcaption>Figure 1</figcaption></figure>'
        assert text(figure) == "A pump\n\nFigure 1"
        assert text("<details><summary>More</summary>inside</details>") == "More\n\ninside"

    def test_the_title_is_that_of_the_page_else_its_first_heading(self) -> None:
        assert load("<title> My\n page </title><h1>Top</h1>").title == "My page"
        assert load("<h2>Sub</h2><h1>Top</h1>").title == "Top"
        assert load("<svg><title>icon</title></svg><p>x").title == ""


class TestPlaces:
    @pytest.mark.parametrize(
        ("markup", "fragment"),
        [
            ('<h2 id="own">H</h2>', "own"),
            ('<section id="around"><h2>H</h2></section>', "around"),
            ('<h2><a name="inside">H</a></h2>', "inside"),
            ('<a name="before"></a><h2>H</h2>', "before"),
            ('<div id="around"><h2 id="own"><a id="inside"></a>H</h2></div>', "own"),
            ('<p id="p">text</p><h2>H</h2>', ""),
            ('<h2 id="größe 1">H</h2>', "gr%C3%B6%C3%9Fe%201"),
        ],
    )
    def test_a_heading_is_linked_by_the_nearest_name(self, markup: str, fragment: str) -> None:
        found = load(f"{markup}<p>text below</p>")
        where = found.place_of(len(found.text) - 1, len(found.text))
        assert (where.label, where.fragment) == ("H", fragment)

    def test_a_term_with_a_name_is_linked(self) -> None:
        found = load('<h1 id="top">API</h1><dl><dt id="f">f(x)</dt><dd>calls</dd></dl>')
        assert [place.fragment for place in found.places] == ["top", "f"]

    def test_the_caller_may_take_the_headings(self) -> None:
        heard: list[tuple[str, str]] = []
        builder = TextBuilder()
        add_html(
            builder,
            '<h1 id="a">One</h1><h6>Two</h6>',
            base_level=1,
            on_heading=lambda fragment, name: heard.append((fragment, name)),
        )
        found = builder.result()
        assert heard == [("a", "One"), ("", "Two")]
        assert found.text == "## One\n\n###### Two"
        assert found.places == ()


class TestBoilerplate:
    @pytest.mark.parametrize(
        "extra",
        [
            "<nav><a href=x>EXTRA</a></nav>",
            "<header><a href=x>EXTRA</a></header>",
            "<footer>EXTRA reserved</footer>",
            "<aside><ul><li><a href=x>EXTRA</a></ul></aside>",
            "<div role=navigation><a href=x>EXTRA</a></div>",
            "<div class='sphinxsidebar'><h3><a href=x>EXTRA</a></h3></div>",
            "<ul class='breadcrumbs'><li><a href=x>Home</a> EXTRA</ul>",
            "<div class=navheader><table><tr><th>EXTRA</th></tr><tr><td><a>Prev</a></table></div>",
            "<div id='cookie-banner'>We use cookies EXTRA <button>Accept</button></div>",
            "<div id='toc'><ul><li><a href='#a'>EXTRA</a></ul></div>",
            "<a class='skip-link' href='#main'>EXTRA</a>",
            "<p><a href=x>Skip to main content</a></p>",
            "<p>Next: <a href=x>EXTRA</a>, Up: <a href=y>Topology</a></p>",
            "<div class=footer>&copy; EXTRA</div>",
            "<script>EXTRA</script><style>EXTRA</style><noscript>EXTRA</noscript>",
            "<template><p>EXTRA</p></template><svg><text>EXTRA</text></svg>",
            "<form><select><option>EXTRA</select><button>EXTRA</button></form>",
        ],
    )
    def test_is_left_out(self, extra: str) -> None:
        assert text(f"{extra}{paragraphs(2)}{extra}") == text(paragraphs(2))

    def test_stays_when_all_is_wanted(self) -> None:
        builder = TextBuilder()
        add_html(builder, "<nav><a>Home</a></nav><p>text</p>", main_only=False)
        assert builder.result().text == "Home\n\ntext"

    def test_the_main_part_is_preferred_with_the_heading_before_it(self) -> None:
        page = f"<div>Teaser</div><h1>Pumps</h1><main>{paragraphs(3)}</main><div>Ads</div>"
        assert text(page) == text(f"<h1>Pumps</h1>{paragraphs(3)}")

    def test_a_main_part_with_two_marks_is_read_once(self) -> None:
        assert text(f"<main role=main>{paragraphs(3)}</main>") == text(paragraphs(3))

    def test_a_main_part_that_holds_next_to_nothing_is_not_preferred(self) -> None:
        assert "7" in text(f"<main>Loading</main><div>{paragraphs(8)}</div>")

    @pytest.mark.parametrize(
        "content",
        [
            f"<div class='menu'><h2>Dishes</h2><p>{SENTENCE * 4}</p></div>",
            f"<div class='header'><p>{SENTENCE}</p></div>",
            f"<section id='cookie-consent'><h2>Cookies</h2><p>{SENTENCE}</p></section>",
            f"<article><header><h1>Title</h1><p>{SENTENCE}</p></header></article>",
            f"<main><aside>{SENTENCE}</aside></main>",
            f"<center><font size=2>{SENTENCE}</font></center>",
            "<div class='table-contents'><table><tr><th><a>Name</a></tr></table></div>",
            "<h2><button>A question?</button></h2>",
        ],
    )
    def test_what_only_looks_like_it_stays(self, content: str) -> None:
        builder = TextBuilder()
        add_html(builder, content, main_only=False)
        assert builder.length > 0
        everything = builder.result().text
        assert everything in text(f"{content}{paragraphs(2)}")

    def test_a_page_of_links_keeps_its_links(self) -> None:
        links = "".join(f"<li><a href=x>Chapter {number}</a>" for number in range(50))
        assert "Chapter 49" in text(
            f"<h1>Book</h1><p>Welcome.</p><div class=toc><ul>{links}</ul></div>"
        )
        assert text("<nav><a href=x>Only this</a></nav>") == "Only this"

    def test_frames_give_what_they_offer_without_frames(self) -> None:
        page = (
            "<frameset cols='1,2'><frame src=a><noframes><p>Read <b>this</b></noframes></frameset>"
        )
        assert text(page) == "Read this"


class TestHidden:
    @pytest.mark.parametrize(
        "markup",
        [
            "<p hidden>12345</p>",
            "<div style='display: none'>12345</div>",
            "<div style='color:red;VISIBILITY:hidden'><p>12345</p></div>",
            "<span style='font-size:0px'>12345</span>",
            "<span style='opacity:0'>12345</span>",
            "<p style='position:absolute;left:-9999px'>12345</p>",
            "<span class='sr-only'>12345</span>",
            "<div hidden><p hidden>12345</p></div>",
            "<dialog>12345</dialog>",
            "<!--12345-->",
        ],
    )
    def test_text_is_left_out_and_counted(self, markup: str) -> None:
        found = load(f"<p>before</p>{markup}<p>after</p>")
        assert (found.text, found.hidden) == ("before\n\nafter", 5)

    @pytest.mark.parametrize(
        "markup",
        [
            "<p aria-hidden=true>seen</p>",
            "<p hidden=until-found>seen</p>",
            "<p style='opacity:0.5;font-size:0.9em;max-left:-99999'>seen</p>",
            "<dialog open>seen</dialog>",
        ],
    )
    def test_what_a_reader_sees_stays(self, markup: str) -> None:
        found = load(markup)
        assert (found.text, found.hidden) == ("seen", 0)

    def test_base_and_refresh_and_script_do_nothing(self) -> None:
        head = "<base href='http://x.invalid/'><meta http-equiv=refresh content='0;url=http://y.invalid/'>"
        assert text(f"{head}<script>document.write('no')</script><p>yes") == "yes"


class TestEncoding:
    @pytest.mark.parametrize(
        ("head", "codec", "words"),
        [
            ("", "utf-8", "Größe 中文"),
            ("", "utf-8-sig", "Größe 中文"),
            ("", "utf-16", "Größe 中文"),
            ("<meta charset=windows-1252>", "cp1252", "Größe – “quoted”"),
            ("<meta charset=iso-8859-1>", "cp1252", "Größe – “quoted”"),
            ('<?xml version="1.0" encoding="EUC-KR"?>', "euc_kr", "한국어 문서"),
            ("<meta http-equiv=x content='text/html; charset=gb2312'>", "gbk", "中文網頁"),
            ("<meta charset=Shift_JIS>", "cp932", "日本語①"),
            ("<meta charset=iso-2022-jp>", "iso2022_jp", "日本語"),
            ("<meta charset=latin1>", "utf-8", "says Latin-1, is UTF-8: Größe"),
            ("<meta charset=no-such-thing>", "utf-8", "Größe"),
        ],
    )
    def test_is_found(self, head: str, codec: str, words: str) -> None:
        assert text(f"{head}<p>{words}</p>".encode(codec)) == words

    def test_is_detected_where_nothing_is_declared(self) -> None:
        words = "Всё, что нужно знать о насосах: установка, запуск и обслуживание. " * 4
        assert text(f"<p>{words}</p>".encode("cp1251")) == words.strip()

    def test_a_few_bad_bytes_do_not_change_it(self) -> None:
        assert text(b"<p>" + "Größe ".encode() * 200 + b"\xff end").endswith("\ufffd end")

    def test_bytes_that_are_no_text_are_refused(self) -> None:
        with pytest.raises(DocumentRefusedError) as refusal:
            load(b"\x1f\x8b\x08\x00" + bytes(range(256)) * 8)
        assert refusal.value.reason == "broken"


class TestXhtml:
    def test_elements_that_close_themselves_hold_nothing(self) -> None:
        page = (
            '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
            '<script src="x"/></head><body><a id="k"/><h1>Pumps</h1><div/><p>a<br/>b</p>'
            "</body></html>"
        )
        found = load(page)
        assert found.text == "# Pumps\n\na\nb"
        assert found.places[0].fragment == "k"

    def test_entities_and_marked_sections_are_text(self) -> None:
        page = (
            '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY co "Acme"> <!ENTITY x "y">]>'
            "<html><body><p>&co; <![CDATA[<b> & c]]></p></body></html>"
        )
        assert text(page) == "Acme <b> & c"

    def test_a_prefix_for_its_namespace_is_read_over(self) -> None:
        page = '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:p>a</h:p><h:p>b</h:p></h:html>'
        assert text(page) == "a\n\nb"


class TestHostileMarkup:
    @pytest.mark.parametrize(
        ("markup", "expected"),
        [
            ("<div>" * 10**6 + "deep", "deep"),
            ("<div>" * 10**5 + "deep" + "</div>" * 10**5 + "<p>after", "deep\n\nafter"),
            ("<b>" * 10**5 + "deep", "deep"),
            ("<table><tr><td>" * 20_000 + "deep", "deep"),
            ("<select>" + "<option>x" * 30_000 + "</select><p>deep", "deep"),
            ("<?xml?>" + "<![CDATA[" * 50_000 + "<p>deep", "deep"),
        ],
    )
    def test_nesting_is_bounded_and_loses_no_text(self, markup: str, expected: str) -> None:
        start = time.process_time()
        assert text(markup) == expected
        assert time.process_time() - start < 10

    def test_deep_lists_keep_a_readable_indent(self) -> None:
        assert len(text("<ul><li>" * 300 + "deep")) < 50

    def test_too_many_attributes_are_refused(self) -> None:
        many = " ".join(f"a{number}=1" for number in range(50_000))
        with pytest.raises(DocumentRefusedError) as refusal:
            load(f"<p {many}>x")
        assert refusal.value.reason == "over_limit"

    @pytest.mark.parametrize("markup", ["", " ", "<script>x()</script>", "<p hidden>x</p>"])
    def test_a_page_without_text_is_refused(self, markup: str) -> None:
        with pytest.raises(DocumentRefusedError) as refusal:
            load(markup)
        assert refusal.value.reason == "no_text"

    def test_the_same_bytes_give_the_same_text(self) -> None:
        page = f"<nav><a>x</a></nav><main>{paragraphs(5)}</main>".encode()
        assert load(page) == load(page)
