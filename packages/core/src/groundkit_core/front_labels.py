"""Access labels that a document's front matter asks for."""

from __future__ import annotations

import re

from groundkit_core.chunking.markdown.front_matter import MAX_LINES, front_matter
from groundkit_core.errors import DocumentRefusedError

_MAX_LABELS = 32
_LONGEST_HEAD = 64 * 1024
_KEY = re.compile(r"""["']?access[_-]labels["']?\s*[:=]\s*(?P<value>.*)""", re.IGNORECASE)
_ITEM = re.compile(r"\s*-\s+(?P<value>.*)")
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_COMMENT = re.compile(r"(^|\s)#.*")


def front_labels(text: str) -> frozenset[str]:
    """Return the labels that a reader must hold, from `access_labels` in the front matter.

    It is a list (`[a, b]`, or a line `- a` each) or one label.

    Raises:
        DocumentRefusedError: the value is something else, so that who may read it is not known.
    """
    if text[:3] not in {"---", "+++"}:
        return frozenset()
    lines = text[:_LONGEST_HEAD].splitlines()[: MAX_LINES + 2]
    matter = front_matter(lines)
    if matter is None and any(map(_KEY.match, lines)):
        raise _refusal("the front matter is not closed")
    body = lines[1 : matter.end - 1] if matter else []
    found: set[str] = set()
    for number, line in enumerate(body):
        if key := _KEY.match(line):
            values = _values(_COMMENT.sub("", key["value"]).strip(), body[number + 1 :])
            found.update(map(_checked, values))
    if len(found) > _MAX_LABELS:
        raise _refusal(f"more than {_MAX_LABELS} labels")
    return frozenset(found)


def _values(inline: str, following: list[str]) -> list[str]:
    if not inline:
        items = []
        for line in following:
            item = _ITEM.match(line)
            if item is None:
                break
            items.append(_COMMENT.sub("", item["value"]))
        if not items:
            raise _refusal("no label is named")
        return items
    if inline.startswith("["):
        if not inline.endswith("]"):
            raise _refusal("the list is not closed on its line")
        return inline[1:-1].split(",") if inline[1:-1].strip() else []
    return [inline]


def _checked(value: str) -> str:
    label = value.strip().strip("\"'")
    if not _LABEL.fullmatch(label):
        raise _refusal("a label has letters, digits, '.', '_' and '-'")
    return label


def _refusal(why: str) -> DocumentRefusedError:
    return DocumentRefusedError(
        "labels", f"access_labels cannot be read: {why}; write access_labels: [name, name]"
    )
