from __future__ import annotations

import pytest

from groundkit_core.kinds import Kind, kind_of


@pytest.mark.parametrize(
    ("source", "name", "language"),
    [
        ("README.md", "markdown", None),
        ("docs/a.b/Guide.MARKDOWN", "markdown", None),
        ("notes.txt", "text", None),
        ("index.rst", "rst", None),
        ("pkg/mod.py", "code", "python"),
        ("pkg/mod.pyi", "code", "python"),
        ("web/App.tsx", "code", "typescript"),
        ("web/app.mjs", "code", "javascript"),
        ("main.go", "code", "go"),
        ("lib.rs", "code", "rust"),
        ("A.java", "code", "java"),
        ("a.kt", "code", "kotlin"),
        ("a.h", "code", "c"),
        ("a.hpp", "code", "cpp"),
        ("a.cs", "code", "csharp"),
        ("a.rb", "code", "ruby"),
        ("run.sh", "code", "bash"),
        ("schema.sql", "code", "sql"),
        ("main.tf", "code", "terraform"),
        ("App.vue", "code", "vue"),
        ("pyproject.toml", "config", "toml"),
        ("ci.yml", "config", "yaml"),
        ("setup.cfg", "config", "ini"),
        ("package.json", "config", "json"),
        ("pom.xml", "config", "xml"),
        ("app.properties", "config", "properties"),
        ("go.mod", "config", "conf"),
        ("Makefile", "code", "makefile"),
        ("deploy/Dockerfile", "code", "dockerfile"),
        ("deploy/Dockerfile.dev", "code", "dockerfile"),
        ("CMakeLists.txt", "code", "cmake"),
        ("Justfile", "code", "just"),
        ("README", "text", None),
        ("LICENSE", "text", None),
    ],
)
def test_a_name_tells_the_kind(source: str, name: str, language: str | None) -> None:
    kind = kind_of(source)
    assert kind is not None
    assert (kind.name, kind.language) == (name, language)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "a.png",
        "a",
        "folder.md/a",
        ".md",
        ".env",
        "a.",
        "a.pyc",
        "a.md.bak",
        "x.png",
        "md",
        "dir/",
    ],
)
def test_other_names_have_no_kind(source: str) -> None:
    assert kind_of(source) is None


def test_kinds_are_values() -> None:
    assert kind_of("a.py") == kind_of("B.PY") == Kind("code", "python")
