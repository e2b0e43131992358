from __future__ import annotations

import pytest

pytest.importorskip("tree_sitter")

from groundkit_core.chunking import chunk
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkSettings
from groundkit_index.outlines import outline_of

SOURCES = {
    "python": ("class A:\n    @dec\n    async def f(self):\n        def g():\n            pass\n",
               ["A", "A.f", "A.f.g"]),
    "javascript": ("class A {\n  m() {}\n}\nexport const h = () => 1;\n"
                   "module.exports.q = function () {};\n",
                   ["A", "A.m", "h", "q"]),
    "typescript": ("namespace N {\n  export interface I {\n    a(): void;\n  }\n}\n"
                   "type T = string;\n",
                   ["N", "N.I", "N.I.a", "T"]),
    "go": ("package p\n\ntype T struct{}\n\nfunc (t *T) M() {}\n\nfunc (g G[K]) N() {}\n",
           ["T", "T.M", "G.N"]),
    "rust": ("mod m {\n    impl<'a> Tr for fmt::S<'a> {\n        fn f(&self) {}\n    }\n}\n",
             ["m", "m.S", "m.S.f"]),
    "java": ("class A<T> {\n  A() {}\n\n  interface I {\n    void k();\n  }\n}\n",
             ["A", "A.A", "A.I", "A.I.k"]),
    "c": ("static int *f(int a)\n{\n}\n\ntypedef struct {\n  int b;\n} t;\n\nint g(void);\n",
          ["f", "t", "g"]),
    "cpp": ("BEGIN_NS\nnamespace n {\nclass A {\n  void m() {}\n};\n}\n"
            "void n::A::k() {}\nTEST(a, b) {\n}\n",
            ["n", "n.A", "n.A.m", "n.A.k", "TEST(a, b)"]),
    "csharp": ("namespace N.O;\nclass A {\n  int P { get; }\n  void M() {}\n}\n",
               ["N.O.A", "N.O.A.P", "N.O.A.M"]),
    "ruby": ("module M\n  class A\n    def self.g\n    end\n  end\nend\n",
             ["M", "M.A", "M.A.self.g"]),
    "php": ("<?php\nnamespace N\\O;\nclass A {\n  function f() {}\n}\n",
            ["N\\O.A", "N\\O.A.f"]),
}  # fmt: skip


def names(text: str, language: str) -> list[str]:
    found = outline_of(text, language)
    if found is None:
        pytest.skip(f"no grammar of {language} is installed")
    return [".".join(mark.path) for mark in found.marks if mark.kind != "rest"]


@pytest.mark.parametrize("language", SOURCES)
def test_definitions_have_qualified_names(language: str) -> None:
    text, expected = SOURCES[language]
    assert names(text, language) == expected


def test_comments_and_decorators_above_belong_to_a_definition() -> None:
    text = "x = 1\n\n# About f,\n# at length.\n@dec(\n    1\n)\ndef f():\n    pass\n\n\ny = 2\n"
    found = outline_of(text, "python")
    if found is None:
        pytest.skip("no grammar of python is installed")
    assert [(text[mark.start :].partition("\n")[0], mark.path) for mark in found.marks] == [
        ("x = 1", ()),
        ("# About f,", ("f",)),
        ("y = 2", ()),
    ]


def test_offsets_count_code_points() -> None:
    text = 's = "\U0001f600é漢"\n\n\ndef größe():\n    pass\n'
    assert names(text, "python") == ["größe"]
    found = outline_of(text, "python")
    assert found is not None
    assert text[found.marks[-1].start :].startswith("def größe")


def test_chunks_follow_the_outline_and_cover_the_text() -> None:
    body = "\n".join(f"        self.x{n} = {n}" for n in range(30))
    text = f"class A:\n    def f(self):\n{body}\n\n    def g(self):\n{body}\n"
    spans = chunk(text, Kind("code", "python"), ChunkSettings(700, 1400), outliner=outline_of).spans
    assert [span.heading_path for span in spans] == [("A", "f"), ("A", "g")]
    assert "".join(text[span.start : span.end] for span in spans).split() == text.split()


@pytest.mark.parametrize("language", SOURCES)
def test_broken_code_is_outlined_as_far_as_it_goes(language: str) -> None:
    text, _ = SOURCES[language]
    for end in range(0, len(text), 3):
        broken = f"{text[:end]}\x00(\udcff{text[end // 2 :]}"
        found = outline_of(broken, language)
        if found is not None:
            starts = [mark.start for mark in found.marks]
            assert starts == sorted(set(starts))


@pytest.mark.parametrize(
    ("language", "text"),
    [("python", "(" * 200_000), ("python", "x" * 500_001), ("java", "a<" * 20_000)],
)
def test_what_no_parser_should_be_given_has_no_outline(language: str, text: str) -> None:
    assert outline_of(text, language) is None


def test_an_unknown_language_has_no_outline() -> None:
    assert outline_of("x", "cobol") is None
