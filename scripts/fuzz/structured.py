"""Ways to change XML and JSON that stay well-formed, to reach what is behind the parser."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from lxml import etree

_DEPTHS = (2, 30, 120, 250)
_TIMES = (1, 2, 50, 2_000)
_VALUES = ("", "0", "-1", "1", "7", "4294967296", "9" * 400, "1e400", "nan", "true",
           "A1:XFD1048576", "é", "\u202e", "../../x", "http://x.invalid/a", "#", "s",
           "a" * 70_000)  # fmt: skip
_JSON_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 10**400, "", "# x", "\ud800", "\0", "a" * 70_000, [], {}, [[]], ["a"],
    {"text/plain": 3}, {"a": {"b": None}}, "```\n\n~~~", "\x1b[31m",
)  # fmt: skip


def change_xml(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Remove, repeat, move, nest or rename elements, or change what is in them."""
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return data
    for _ in range(random.choice((1, 1, 3, 10))):
        elements = [one for one in root.iter() if isinstance(one.tag, str)]
        _change_element(random, random.choice(elements), random.choice(elements))
    return bytes(etree.tostring(root))


def _change_element(random: Random, one: etree._Element, other: etree._Element) -> None:
    parent, way = one.getparent(), random.randrange(7)
    if way == 0 and parent is not None:
        parent.remove(one)
    elif way == 1 and parent is not None:
        size = sum(1 for _ in one.iter())
        for _ in range(min(random.choice(_TIMES), 20_000 // size)):
            parent.insert(random.randrange(len(parent) + 1), copy.deepcopy(one))
    elif way == 2:
        other.append(copy.deepcopy(one))
    elif way == 3:
        inner = copy.deepcopy(one)
        for _ in range(random.choice(_DEPTHS)):
            outer = etree.Element(one.tag, dict(one.attrib))
            outer.append(inner)
            inner = outer
        one.append(inner)
    elif way == 4 and one.attrib:
        one.set(random.choice(list(one.attrib)), random.choice(_VALUES))
    elif way == 5:
        one.tag = other.tag
    else:
        one.text = random.choice(_VALUES)


def change_json(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Put other values, or values of other types, in some places."""
    try:
        tree = json.loads(data)
    except ValueError:
        return data
    for _ in range(random.choice((1, 1, 3, 10))):
        places = list(_places(tree))
        if not places:
            break
        holder, key = random.choice(places)
        if random.random() < 0.7:
            holder[key] = copy.deepcopy(random.choice(_JSON_VALUES))
        elif isinstance(holder, list):
            holder[key:key] = [copy.deepcopy(holder[key])] * random.choice(_TIMES)
        else:
            del holder[key]
    return json.dumps(tree).encode()


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every holder with every key of it."""
    pending = [tree] if isinstance(tree, dict | list) else []
    while pending:
        holder = pending.pop()
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            if isinstance(holder[key], dict | list):
                pending.append(holder[key])
