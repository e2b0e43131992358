"""Messages to text: their headers, the part that a reader sees, and what was forwarded."""

from __future__ import annotations

from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, TextBuilder
from groundkit_core.text import unify_newlines
from groundkit_index.loaders.email.charsets import decoded
from groundkit_index.loaders.email.headers import all_lines, head_lines, readable, subject
from groundkit_index.loaders.email.plain import add_plain, unwrapped, without_armour
from groundkit_index.loaders.html import LOADER as HTML_LOADER
from groundkit_index.loaders.html import add_html
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.refusing import refusing

MAX_FORWARDED = 8
"""Messages inside messages are read this deep."""

_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_ENCRYPTED = frozenset(
    {"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
)
_PLAIN, _HTML = "text/plain", "text/html"


class _Email:
    @property
    def version(self) -> str:
        return f"1, html {HTML_LOADER.version}"

    def load(self, data: bytes, limits: Limits) -> Extraction:
        """Return a message and the messages that it forwards; attachments by name only.

        Raises:
            DocumentRefusedError: it is encrypted, or nests too deep.
        """
        with refusing():
            return _Reader(limits).read(message_from_bytes(data))


LOADER = _Email()


class _Reader:
    """Writes the parts of a message, and collects what is left out."""

    def __init__(self, limits: Limits) -> None:
        self._builder = TextBuilder()
        self._parts = limits.members
        self._hidden = self._forwarded = 0
        self._encrypted = self._deep = self._bodies = False
        self._attached: list[str] = []

    def read(self, message: Message) -> Extraction:
        self._message(message, 0)
        if self._encrypted and not self._bodies:
            raise DocumentRefusedError("encrypted", "the message can be read by its receiver only")
        notes = []
        if self._attached:
            notes.append(f"{len(self._attached)} attachments were left out")
        if self._encrypted:
            notes.append("an encrypted part was left out")
        if self._deep:
            notes.append(f"messages forwarded more than {MAX_FORWARDED} deep were left out")
        return self._builder.result(subject(message), hidden=self._hidden, notes=tuple(notes))

    def _message(self, message: Message, depth: int) -> None:
        """Adds a message; `depth` messages hold it."""
        builder, before = self._builder, len(self._attached)
        builder.heading(subject(message), depth + 1)
        builder.lines(head_lines(message))
        self._part(message, depth)
        names = self._attached[before:]
        if names and not depth:
            builder.paragraph("Attachments:", leads=True)
            for name in names:
                builder.item(name)

    def _part(self, part: Message, depth: int) -> None:
        self._parts -= 1
        if self._parts < 0:
            raise DocumentRefusedError("over_limit", "it has too many parts")
        kind = part.get_content_type()
        if kind in _ENCRYPTED and not _is_signed_data(part):
            self._encrypted = True
        elif kind == "message/rfc822":
            self._forward(part, depth)
        elif kind == "message/delivery-status":
            for status in _children(part):
                self._builder.lines(all_lines(status))
        elif part.is_multipart():
            self._multipart(kind, _children(part), depth)
        elif part.get_content_maintype() == "multipart":
            self._text(part, _PLAIN, depth)
        elif part.get_content_maintype() == "text" and not _is_attachment(part):
            self._text(part, kind, depth)
        elif kind not in _SIGNATURES:
            self._attached.append(_name(part) or f"({kind})")

    def _multipart(self, kind: str, children: Sequence[Message], depth: int) -> None:
        if kind == "multipart/alternative":
            chosen = _preferred(children)
            children = [chosen] if chosen is not None else []
        elif kind == "multipart/encrypted":
            self._encrypted = True
            return
        for child in children:
            self._part(child, depth)

    def _forward(self, part: Message, depth: int) -> None:
        messages = _children(part)
        if depth >= MAX_FORWARDED:
            self._deep = True
            return
        for message in messages:
            self._forwarded += 1
            self._builder.place(label=f"forwarded message {self._forwarded}")
            self._message(message, depth + 1)

    def _text(self, part: Message, kind: str, depth: int) -> None:
        text = unify_newlines(_content(part))
        if kind == _HTML:
            _, hidden = add_html(self._builder, text, base_level=depth + 1, main_only=False)
            self._hidden += hidden
            self._bodies = True
        elif kind == _PLAIN:
            text, hides = without_armour(text)
            self._encrypted = self._encrypted or hides
            if _parameter(part, "format").lower() == "flowed":
                text = unwrapped(text, spaced=_parameter(part, "delsp").lower() != "yes")
            add_plain(self._builder, text)
            self._bodies = self._bodies or bool(text.strip())
        elif kind != "text/rfc822-headers":
            self._builder.lines(text)
            self._bodies = True


def _preferred(parts: Sequence[Message]) -> Message | None:
    """The alternative that is read: plain text, else HTML, else what stands last."""
    plain = (part for part in parts if part.get_content_type() == _PLAIN and _content(part).strip())
    found = next(plain, None)
    if found is None:
        found = next((part for part in reversed(parts) if _holds_html(part)), None)
    return found if found is not None or not parts else parts[-1]


def _holds_html(part: Message) -> bool:
    return any(inner.get_content_type() == _HTML for inner in part.walk())


def _children(part: Message) -> Sequence[Message]:
    payload = part.get_payload()
    if not isinstance(payload, list):
        return []
    return [child for child in payload if isinstance(child, Message)]


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return decoded(payload, _charset(part)) if isinstance(payload, bytes) else ""


def _charset(part: Message) -> str | None:
    return _parameter(part, "charset") or None


def _parameter(part: Message, name: str) -> str:
    """A parameter of the content type; of RFC 2231's three parts the value."""
    found = part.get_param(name)
    if isinstance(found, tuple):
        found = found[2]
    return str(found).strip("\"' ") if found else ""


def _is_attachment(part: Message) -> bool:
    return part.get_content_disposition() == "attachment"


def _is_signed_data(part: Message) -> bool:
    return _parameter(part, "smime-type").lower() == "signed-data"


def _name(part: Message) -> str:
    try:
        return readable(part.get_filename() or "")
    except (LookupError, ValueError, TypeError):
        return ""
