from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_core.chunking import chunk
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkedText, ChunkSettings

KINDS = [
    Kind("markdown"),
    Kind("rst"),
    Kind("asciidoc"),
    Kind("csv"),
    Kind("text"),
    *(Kind("config", name) for name in ("toml", "yaml", "json", "xml")),
    *(
        Kind("code", name)
        for name in ("python", "typescript", "go", "rust", "java", "cpp", "ruby", "sql", "bash")
    ),
    Kind("code", "haskell"),
]
PIECES = [
    "# Title",
    "## Part `x` ##",
    "Setext\n===",
    "Other\n---",
    "---",
    "title: T",
    "```py",
    "~~~",
    "- item",
    "  1. nested",
    "> quote",
    "| a | b |",
    "|---|:-:|",
    "<!-- note",
    "-->",
    "    indented code",
    "\tdeep",
    ".. note::",
    "   body",
    "literal::",
    "=====",
    "[section]",
    "[[table.array]]",
    "== Section",
    "|===",
    "----",
    "....",
    ".Caption",
    "[source,ruby]",
    "+",
    "* item",
    ":name: value",
    'a,"b',
    'c""d",2;3',
    "1\t2|3",
    "key = 1",
    "key: value",
    "  - name: |",
    "- ",
    "items: [",
    "},",
    '"key": {',
    "}",
    "@decorator",
    "class A(B):",
    "class A {",
    "    def method(self):",
    "  public void run() {",
    "func (s *T) Run() {",
    "fn main() {",
    "CREATE TABLE t (",
    "# comment",
    "// comment",
    '"""doc',
    "/*",
    "*/",
    "end",
    "One sentence. Another one! 終わり。次？",
    "word " * 30,
    "x" * 130,
    "漢字" * 40,
    "e\u0301" * 40,
    "👩‍👩‍👧 👍🏽 🇫🇷🇩🇪",
    "  ",
    "",
    "",
]
NEWLINES = st.sampled_from(["\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\n \n", "\u2028", "\f"])
LINES = st.lists(st.tuples(st.sampled_from(PIECES) | st.text(max_size=12), NEWLINES), max_size=24)
DOCUMENTS = LINES.map(lambda lines: "".join(piece + newline for piece, newline in lines)).filter(
    lambda text: "\0" not in text
)
LARGEST_CHARACTER = 24
"""No generated character with its marks is longer, so no cut needs to split one."""


@st.composite
def sizes(draw: st.DrawFn) -> ChunkSettings:
    target = draw(st.integers(1, 120))
    cap = draw(st.integers(target, 240))
    return ChunkSettings(target, cap, draw(st.integers(0, target - 1) | st.just(0)))


def roomy_sizes() -> st.SearchStrategy[ChunkSettings]:
    """Sizes in which every generated character fits with its marks."""
    return st.builds(ChunkSettings, st.integers(LARGEST_CHARACTER, 120), st.integers(120, 240))


def is_attached(text: str, at: int) -> bool:
    """Whether the code point at `at` belongs to a visible one before it."""
    before, here = text[at - 1], text[at]
    if before.isspace() or here.isspace():
        return False
    return unicodedata.category(here)[0] == "M" or "\u200d" in {before, here}


def check_spans(text: str, chunked: ChunkedText, cap: int) -> None:
    for span in chunked.spans:
        assert 0 <= span.start < span.end <= len(text)
        assert span.end - span.start <= cap
    for before, after in pairwise(chunked.spans):
        assert before.start < after.start
        assert before.end < after.end


def check_coverage(text: str, chunked: ChunkedText) -> None:
    covered = 0
    for span in chunked.spans:
        assert not text[covered : span.start].strip()
        covered = span.end
    assert not text[covered:].strip()


def check_edges(text: str, chunked: ChunkedText, kind: Kind) -> None:
    for span in chunked.spans:
        content = text[span.start : span.end]
        assert not content[-1].isspace()
        assert text[max(0, span.start - 1) : span.start + 1] != "\r\n"
        indent = content[: len(content) - len(content.lstrip())]
        if indent:
            assert kind.name != "text"
            assert not indent.strip(" \t")
            assert span.start == 0 or text[span.start - 1] in "\r\n"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.language or kind.name)
@given(text=DOCUMENTS, chosen=sizes())
@settings(deadline=None, max_examples=35)
def test_every_chunker_keeps_the_laws(text: str, chosen: ChunkSettings, kind: Kind) -> None:
    chunked = chunk(text, kind, chosen)
    check_spans(text, chunked, chosen.cap)
    check_coverage(text, chunked)
    check_edges(text, chunked, kind)
    assert chunk(text, kind, chosen) == chunked


@pytest.mark.parametrize("kind", [Kind("markdown"), Kind("text"), Kind("code", "go")])
@given(text=DOCUMENTS, chosen=roomy_sizes())
@settings(deadline=None, max_examples=60)
def test_no_character_is_split_from_its_marks(text: str, chosen: ChunkSettings, kind: Kind) -> None:
    for span in chunk(text, kind, chosen).spans:
        assert not (span.start and is_attached(text, span.start))
        assert not (span.end < len(text) and is_attached(text, span.end))


@pytest.mark.parametrize("kind", KINDS[:10])
@given(text=DOCUMENTS, chosen=sizes())
@settings(deadline=None, max_examples=25)
def test_overlap_only_reaches_back(text: str, chosen: ChunkSettings, kind: Kind) -> None:
    reaching = chunk(text, kind, chosen).spans
    cap = chosen.cap - chosen.overlap
    plain = chunk(text, kind, ChunkSettings(min(chosen.target, cap), cap)).spans
    assert [span.end for span in reaching] == [span.end for span in plain]
    assert all(
        0 <= without.start - span.start <= chosen.overlap
        for span, without in zip(reaching, plain, strict=True)
    )


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.language or kind.name)
@pytest.mark.parametrize("text", ["", " ", "\r\n\r\n", "\n\t \u2028\f", "---\n---\n"[:0]])
def test_a_text_without_visible_characters_has_no_chunks(text: str, kind: Kind) -> None:
    assert chunk(text, kind) == ChunkedText("", ())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.language or kind.name)
@given(text=DOCUMENTS)
@settings(deadline=None, max_examples=10)
def test_line_ends_change_no_chunk(text: str, kind: Kind) -> None:
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    windows = unix.replace("\n", "\r\n")
    contents = [unix[span.start : span.end] for span in chunk(unix, kind, WIDE).spans]
    assert [
        windows[span.start : span.end].replace("\r\n", "\n")
        for span in chunk(windows, kind, WIDE).spans
    ] == contents


WIDE = ChunkSettings(100_000, 100_000)
