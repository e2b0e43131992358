"""The names that syntax nodes define."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_STEPS = 32
"""How deep a name may lie in the declarator of a function."""

MAX_NAME_CHARS = 200
MAX_MACRO_CHARS = 80
"""Of a macro that stands for a function, such as `TEST(suite, name)`, so much is the name."""

_GENERIC = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_MACRO = re.compile(r"[A-Z][A-Z0-9_]{2,}\(")
_SEPARATORS = re.compile(r"::|\.(?![.\s])")
_NO_NAMES = frozenset(
    {"", "class", "exports", "module", "namespace", "prototype", "struct", "this"}
)
_NAMESPACES = frozenset(
    {
        "file_scoped_namespace_declaration",
        "internal_module",
        "module",
        "namespace_declaration",
    }
)
_LEAVES = frozenset(
    {
        "destructor_name",
        "field_identifier",
        "identifier",
        "operator_cast",
        "operator_name",
        "qualified_identifier",
        "template_function",
        "type_identifier",
    }
)


def names_of(node: Node) -> list[str]:
    """Return the names that a node defines, outermost first; none for what has no name.

    A method of Go is below its receiver's type, an implementation of Rust below what it is for.
    """
    if node.type == "impl_item":
        return [_type(node.child_by_field_name("type"))]
    if node.type in _NAMESPACES:
        return [_bare(_name(node)).strip("\"'")]
    if node.type == "method_declaration" and (receiver := node.child_by_field_name("receiver")):
        return [*_receiver(receiver), _text(node.child_by_field_name("name"))]
    if node.type == "singleton_method":
        return [f"{_text(node.child_by_field_name('object'))}.{_name(node)}"]
    name = _name(node)
    if node.type == "declaration" and name.isupper():
        return []  # a macro around the parameters, not the name
    parts = [name] if name.startswith("[") else _SEPARATORS.split(name)
    return [name for name in map(_bare, parts) if name not in _NO_NAMES]


def _name(node: Node) -> str:
    for field in ("name", "left", "property"):
        found = node.child_by_field_name(field)
        if found is not None:
            return _text(found)
    return _declared(node)


def _declared(node: Node) -> str:
    """The name in the declarator of C and C++, such as `f` in `int *f(int)`."""
    found = node.child_by_field_name("declarator")
    if found is not None and node.child_by_field_name("type") is None:
        macro = _text(found)
        if _MACRO.match(macro):
            return macro[:MAX_MACRO_CHARS]
    for _ in range(MAX_STEPS):
        if found is None:
            return ""
        if found.type in _LEAVES:
            return _text(found)
        inner = found.child_by_field_name("declarator")
        found = inner or next(
            (c for c in found.named_children if c.type in _LEAVES or "declarator" in c.type), None
        )
    return ""


def _type(node: Node | None) -> str:
    """The name of the type that something is implemented for."""
    for _ in range(MAX_STEPS):
        inner = None if node is None else _first_of(node, ("type", "name"))
        if inner is None:
            break
        node = inner
    return _bare(_text(node))


def _first_of(node: Node, fields: tuple[str, ...]) -> Node | None:
    return next(filter(None, map(node.child_by_field_name, fields)), None)


def _receiver(receiver: Node) -> list[str]:
    words = re.findall(r"\w+", _GENERIC.sub("", _text(receiver)))
    return list(words[-1:])


def _bare(name: str) -> str:
    """A name on one line, without type parameters."""
    if name.startswith("["):
        return name
    for _ in range(3):
        name = _GENERIC.sub("", name)
    return " ".join(name.split())[:MAX_NAME_CHARS].strip("&*: ")


def _text(node: Node | None) -> str:
    if node is None or node.text is None:
        return ""
    return node.text[: 4 * MAX_NAME_CHARS].decode("utf-8", "replace")
