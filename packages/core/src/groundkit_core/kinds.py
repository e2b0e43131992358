"""What kind of document a source is, by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

TextKind = Literal["markdown", "rst", "asciidoc", "text", "csv", "code", "config"]
FormatKind = Literal[
    "docx", "email", "epub", "html", "notebook", "pdf", "pptx", "subtitles", "xlsx"
]
KindName = TextKind | FormatKind

FORMATS: frozenset[str] = frozenset(get_args(FormatKind))
"""Kinds whose text is taken out by a loader; the others are text themselves."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How a document is read.

    Attributes:
        name: which chunker or loader reads it.
        language: the programming or configuration language, such as `python` or `toml`.
    """

    name: KindName
    language: str | None = None

    @property
    def extracted(self) -> bool:
        """Whether a loader takes the text out of it."""
        return self.name in FORMATS


_SUFFIXES: dict[KindName, str] = {
    "markdown": "md markdown mdown mkd mdx",
    "rst": "rst rest",
    "asciidoc": "adoc asciidoc asc",
    "text": "txt text",
    "csv": "csv tsv",
    "docx": "docx docm dotx dotm",
    "email": "eml",
    "epub": "epub",
    "html": "html htm xhtml shtml",
    "notebook": "ipynb",
    "pdf": "pdf",
    "pptx": "pptx pptm ppsx ppsm potx potm",
    "subtitles": "srt vtt",
    "xlsx": "xlsx xlsm xltx xltm",
}
_CODE_SUFFIXES = {
    "bash": "sh bash zsh ksh",
    "c": "c h",
    "clojure": "clj cljs cljc edn",
    "cpp": "cc cpp cxx hh hpp hxx",
    "csharp": "cs",
    "css": "css less",
    "dart": "dart",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "fsharp": "fs fsi fsx",
    "go": "go",
    "graphql": "graphql gql",
    "groovy": "groovy gradle",
    "haskell": "hs",
    "java": "java",
    "javascript": "js jsx mjs cjs",
    "julia": "jl",
    "kotlin": "kt kts",
    "lua": "lua",
    "nix": "nix",
    "ocaml": "ml mli",
    "perl": "pl pm",
    "php": "php",
    "powershell": "ps1 psm1 psd1",
    "proto": "proto",
    "python": "py pyi",
    "r": "r",
    "ruby": "rb rake gemspec",
    "rust": "rs",
    "scala": "scala sc",
    "scss": "scss sass",
    "sql": "sql",
    "svelte": "svelte",
    "swift": "swift",
    "terraform": "tf tfvars hcl",
    "typescript": "ts tsx mts cts",
    "vue": "vue",
    "zig": "zig",
}
_CONFIG_SUFFIXES = {
    "conf": "conf",
    "ini": "ini cfg",
    "json": "json json5 jsonc",
    "properties": "properties",
    "toml": "toml",
    "xml": "xml",
    "yaml": "yaml yml",
}
_CODE_NAMES = {
    "bash": "configure",
    "cmake": "cmakelists.txt",
    "dockerfile": "containerfile dockerfile",
    "groovy": "jenkinsfile",
    "just": "justfile",
    "makefile": "gnumakefile makefile",
    "python": "sconstruct wscript",
    "ruby": "brewfile gemfile rakefile vagrantfile",
}
_CONFIG_NAMES = {
    "conf": "codeowners go.mod go.work procfile",
    "ini": "setup.cfg",
    "toml": "cargo.lock pipfile poetry.lock uv.lock",
}
_TEXT_NAMES = (
    "authors changelog changes code_of_conduct contributing contributors copying copyright "
    "history install licence license maintainers news notice readme security thanks todo"
)


def _spread(table: dict[str, str], name: KindName) -> dict[str, Kind]:
    return {key: Kind(name, language) for language, keys in table.items() for key in keys.split()}


_BY_SUFFIX: dict[str, Kind] = {
    **{key: Kind(name) for name, keys in _SUFFIXES.items() for key in keys.split()},
    **_spread(_CODE_SUFFIXES, "code"),
    **_spread(_CONFIG_SUFFIXES, "config"),
}
_BY_NAME: dict[str, Kind] = {
    **_spread(_CODE_NAMES, "code"),
    **_spread(_CONFIG_NAMES, "config"),
    **dict.fromkeys(_TEXT_NAMES.split(), Kind("text")),
}
# Names that carry a free suffix: `Dockerfile.dev`, `Makefile.am`.
_STEMS = frozenset({"containerfile", "dockerfile", "jenkinsfile", "makefile"})


def kind_of(source: str) -> Kind | None:
    """The kind of a source by its file name or suffix, without regard to case.

    Args:
        source: a path in POSIX form; only its last part counts.

    Returns:
        None for a name that is not known to hold text.
    """
    name = source.rpartition("/")[2].lower()
    by_name = _BY_NAME.get(name)
    if by_name is not None:
        return by_name
    stem, dot, suffix = name.rpartition(".")
    if not dot or not stem:
        return None
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    return _BY_NAME[stem] if stem in _STEMS else None
