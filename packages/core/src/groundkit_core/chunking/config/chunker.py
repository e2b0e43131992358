"""Configuration files to chunks along their sections and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from groundkit_core.chunking.blocks import Block, Section
from groundkit_core.chunking.config.ini_keys import ini_keys
from groundkit_core.chunking.config.json_keys import json_keys
from groundkit_core.chunking.config.keys import Key, Part, Path, parts
from groundkit_core.chunking.config.toml_keys import toml_keys
from groundkit_core.chunking.config.yaml_keys import yaml_keys
from groundkit_core.chunking.gathering import gather
from groundkit_core.chunking.paragraphs import paragraph_starts
from groundkit_core.chunking.settings import Limits
from groundkit_core.model import ChunkedText

MAX_HEADER_CHARS = 300
"""What stands between a key and the first one inside it belongs to that up to this length."""

_COMMENTS = ("#", ";", "//")


def chunk_config(text: str, language: str, limits: Limits) -> ChunkedText:
    """Chunks a configuration file by section or key path, else by blank lines.

    The heading path is the path of the key, such as `("server", "tls")`; elements of arrays are
    counted from 0, as in `servers[3]`. A key that fits into a chunk is not taken apart, and small
    neighbours share one. Comments belong to the key below.

    Args:
        text: with unified newlines; what is not well-formed is read as far as it goes.
        language: such as `toml`, `yaml` or `json`; others have no keys.
        limits: sizes in code points.
    """
    keys = _KEYS.get(language, _no_keys)(text)
    found = parts(keys, len(text), limits.target)
    return ChunkedText("", gather(text, _sections(text, found), limits, share=4))


def _sections(text: str, found: Iterable[Part]) -> Iterator[Section]:
    path: Path = ()
    begin = 0
    for part in found:
        start = _with_comments(text, begin, part.start)
        if start > begin:
            leads = _holds(path, part.path) or text[begin:start].strip() in {"{", "["}
            yield _section(text, path, begin, start, leads=leads)
        begin, path = start, part.path
    if begin < len(text):
        yield _section(text, path, begin, len(text))


def _holds(path: Path, other: Path) -> bool:
    """Whether a key holds another one, or the other is an element of it."""
    if not path or len(other) < len(path) or path == other:
        return False
    above, last = path[:-1], path[-1]
    name = other[len(above)]
    return other[: len(above)] == above and (name == last or name.startswith(f"{last}["))


def _section(text: str, path: Path, begin: int, end: int, *, leads: bool = False) -> Section:
    """A section; `leads` says whether what little it holds belongs with the next one."""
    blocks = [
        Block(start, int(text.startswith((" ", "\t"), start)), lines=True)
        for start in paragraph_starts(text, begin, end)
    ]
    return Section(path, blocks, end, bare=leads and end - begin <= MAX_HEADER_CHARS)


def _with_comments(text: str, floor: int, start: int) -> int:
    """The start of the comment lines right above `start`, or `start`."""
    while start > floor and text[start - 1] == "\n":
        above = max(text.rfind("\n", floor, start - 1) + 1, floor)
        if not text[above:start].lstrip().startswith(_COMMENTS):
            break
        start = above
    return start


def _no_keys(_: str) -> Iterator[Key]:
    return iter(())


_KEYS: dict[str, Callable[[str], Iterator[Key]]] = {
    "conf": ini_keys,
    "ini": ini_keys,
    "json": json_keys,
    "toml": toml_keys,
    "yaml": yaml_keys,
}
