"""Ways to damage ZIP containers whose ZIP part stays whole."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from random import Random

from scripts.fuzz.mutations import ANY, TEXT, Mutation
from scripts.fuzz.seeds import packed
from scripts.fuzz.structured import change_xml

_BOMB = 8_000_000
_ODD_NAMES = ("../up.md", "/abs.md", "a\\b.md", "a" * 300 + ".md", "é\u202e.md", "", "a/")


def change_member(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Damage the content of one member."""
    members = unpacked(data)
    name = random.choice(sorted(members))
    mutation: Mutation = random.choice((*ANY, *TEXT, *TEXT))
    return packed({**members, name: mutation(random, members[name], others)})


def change_tree(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Change the XML of one or more members, which stays well-formed."""
    members = unpacked(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        name = random.choice(sorted(members))
        members[name] = change_xml(random, members[name], others)
    return packed(members)


def drop_member(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Leave a member out."""
    members = unpacked(data)
    del members[random.choice(sorted(members))]
    return packed(members)


def swap_members(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Give a member the content of another, or an odd name."""
    members = unpacked(data)
    one, other = random.choice(sorted(members)), random.choice(sorted(members))
    if random.random() < 0.5:
        return packed({**members, one: members[other]})
    odd = random.choice(
        ("../up.md", "/abs.md", "a\\b.md", "a" * 300 + ".md", "é\u202e.md", "", "a/")
    )
    return packed({(odd if name == one else name): content for name, content in members.items()})


def bomb(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Let a member unpack to far more."""
    members = unpacked(data)
    name = random.choice(sorted(members))
    content = members[name]
    at = random.randrange(len(content) + 1)
    filler = random.choice((b" ", b"\0", b"<a/>", b"<a>", b"&amp;"))
    filled = filler * (_BOMB // len(filler))
    return packed({**members, name: content[:at] + filled + content[at:]})


def inside(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Put the container into another one, several times."""
    members = unpacked(data)
    for _ in range(random.choice((1, 3, 20))):
        name = random.choice(("in.zip", "word/document.xml", sorted(members)[0]))
        data = packed({**members, name: data}) if random.random() < 0.3 else packed({name: data})
    return data


CONTAINER: tuple[Mutation, ...] = (
    *[change_tree] * 8, *[change_member] * 4, drop_member, swap_members, bomb, inside,
)  # fmt: skip


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the members of a container by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as container:
        return {name: container.read(name) for name in container.namelist()}
