"""Jupyter notebooks: their cells and the text that the cells put out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, TextBuilder
from groundkit_core.text import unify_newlines
from groundkit_index.loaders.markdown import add_markdown
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.refusing import refusing

MAX_OUTPUT_CHARS = 2_000
"""What a cell puts out is cut after so many code points."""

_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x08")
_DATA_ADDRESS = re.compile(r"data:[\w/+.;=-]*,[A-Za-z0-9+/=%]{64,}")
_REPR = re.compile(r"<[^<>\n]{1,300}>$")
_MAGIC = re.compile(r"%%(\w+)")
_MAGIC_LANGUAGES = {
    "bash": "bash",
    "html": "html",
    "javascript": "javascript",
    "js": "javascript",
    "latex": "latex",
    "perl": "perl",
    "r": "r",
    "ruby": "ruby",
    "sh": "bash",
    "sql": "sql",
}
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")


class _Notebook:
    version = "1"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return the cells in order; each is a place of its own.

        Raises:
            DocumentRefusedError: it is no notebook, or has too many cells.
        """
        with refusing():
            return _extract(json.loads(data.decode("utf-8-sig")), limits)


LOADER = _Notebook()


def _extract(notebook: Any, limits: Limits) -> Extraction:
    cells = list(_cells(notebook))
    if len(cells) > limits.members:
        raise DocumentRefusedError("over_limit", f"more than {limits.members:,} cells")
    metadata = _mapping(notebook.get("metadata"))
    writer = _Writer(_language_of(metadata))
    for number, cell in enumerate(cells, 1):
        writer.add(number, cell)
    title = metadata.get("title") or metadata.get("name")
    return writer.builder.result(title if isinstance(title, str) else "", notes=writer.notes())


def _cells(notebook: Any) -> Iterator[dict[str, Any]]:
    """The cells of a notebook in format 4, or in 3, where worksheets hold them."""
    if not isinstance(notebook, dict) or not {"cells", "worksheets", "nbformat"} & set(notebook):
        raise DocumentRefusedError("broken", "it is no notebook")
    sheets = [notebook, *_items(notebook.get("worksheets"))]
    for sheet in sheets:
        yield from _items(sheet.get("cells"))


class _Writer:
    """Writes cells, and counts what is left out."""

    def __init__(self, language: str) -> None:
        self.builder = TextBuilder()
        self._language = language
        self._cut = self._media = 0

    def add(self, number: int, cell: dict[str, Any]) -> None:
        self.builder.place(label=f"cell {number}", fragment=f"cell={number}", breaks=False)
        kind = cell.get("cell_type")
        source = unify_newlines(_text(cell.get("source", cell.get("input"))))
        if kind == "code":
            self._add_code(source, cell)
        elif kind == "heading":
            level = cell.get("level")
            self.builder.heading(source, level if isinstance(level, int) else 1)
        elif kind == "raw":
            self.builder.lines(source)
        else:
            shown, count = _DATA_ADDRESS.subn("data:", source)
            self._media += count
            add_markdown(self.builder, shown)

    def notes(self) -> tuple[str, ...]:
        cut = f"{self._cut} long outputs were cut" if self._cut else ""
        media = f"{self._media} images and other media were left out" if self._media else ""
        return tuple(filter(None, (cut, media)))

    def _add_code(self, source: str, cell: dict[str, Any]) -> None:
        own = cell.get("language")
        magic = _MAGIC.match(source)
        language = own if isinstance(own, str) and _LANGUAGE.fullmatch(own) else self._language
        if magic:
            language = _MAGIC_LANGUAGES.get(magic.group(1).lower(), language)
        output = _without_overwritten(_ESCAPES.sub("", "".join(self._outputs(cell)))).strip("\n")
        self.builder.code(source, language, leads=bool(output.strip()))
        if len(output) > MAX_OUTPUT_CHARS:
            self._cut += 1
            output = f"{_beginning(output)}\n…"
        self.builder.code(output)

    def _outputs(self, cell: dict[str, Any]) -> Iterator[str]:
        for output in _items(cell.get("outputs")):
            kind = output.get("output_type")
            if kind == "stream":
                yield _text(output.get("text"))
            elif kind in {"error", "pyerr"}:
                yield _line(f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}")
            else:
                yield _line(self._shown(output))

    def _shown(self, output: dict[str, Any]) -> str:
        """The text of a result: plain text, unless it only stands for something richer."""
        data = output.get("data")
        kinds = data if isinstance(data, dict) else output
        plain = _text(kinds.get("text/plain", kinds.get("text")))
        rich = [kind for kind in kinds if kind in _MEDIA or ("/" in kind and kind != "text/plain")]
        self._media += any(not kind.startswith(("text/", "html")) for kind in rich)
        if rich and _REPR.match(plain):
            return ""
        return plain or _text(kinds.get("text/markdown", kinds.get("text/latex")))


_MEDIA = frozenset({"html", "jpeg", "javascript", "pdf", "png", "svg"})
"""What format 3 calls the media of an output."""


def _language_of(metadata: dict[str, Any]) -> str:
    info = _mapping(metadata.get("language_info"))
    kernel = _mapping(metadata.get("kernelspec"))
    for name in (info.get("name"), kernel.get("language"), metadata.get("language")):
        if isinstance(name, str) and _LANGUAGE.fullmatch(name):
            return "python" if name == "ipython" else name.lower()
    return ""


def _without_overwritten(text: str) -> str:
    r"""What is left on a terminal after `\r`, as progress bars use it."""
    text = text.replace("\r\n", "\n")
    if "\r" not in text:
        return text
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return "\n".join(lines)


def _beginning(output: str) -> str:
    start = output[:MAX_OUTPUT_CHARS]
    whole = start.rpartition("\n")[0]
    return whole if len(whole) > MAX_OUTPUT_CHARS // 2 else start


def _line(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _text(value: Any) -> str:
    if isinstance(value, list):
        lines = [part for part in value if isinstance(part, str)]
        # Early notebooks list lines without their ends.
        whole = not lines or lines[0].endswith(("\n", "\r"))
        return ("" if whole else "\n").join(lines)
    return value if isinstance(value, str) else ""


def _items(value: Any) -> Iterator[dict[str, Any]]:
    return (
        (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())
    )


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
