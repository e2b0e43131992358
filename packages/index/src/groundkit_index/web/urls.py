"""Addresses on the web: read strictly, written in one way."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote, urljoin

from groundkit_index.web.errors import ForbiddenError
from groundkit_index.web.hosts import canonical_host

_LONGEST = 4096
_SHOWN = 160
_PORTS = {"http": 80, "https": 443}
_FORM = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#.*)?",
    re.IGNORECASE,
)
_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]+)(?::(?P<port>[0-9]{0,5}))?")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,20}):")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
_IN_PATH = "%/:@!$&'()*+,;=~[]|"
_IN_QUERY = _IN_PATH + "?{}^`"


@dataclass(frozen=True, slots=True)
class Url:
    """An address on the web, without credentials and fragment; `str` gives its one spelling.

    Attributes:
        scheme: `http` or `https`.
        host: as `canonical_host` gives it.
        port: the number, also when it is the default.
        path: percent-encoded, begins with a slash, without dot segments.
        query: percent-encoded, without the question mark; empty for none.
    """

    scheme: str
    host: str
    port: int
    path: str
    query: str = ""

    @property
    def origin(self) -> str:
        """Scheme, host and port, such as `https://example.org`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def shown(self) -> str:
        """What messages show: no query, which may hold a secret, and not without end."""
        text = self.origin + self.path
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"

    def __str__(self) -> str:
        return self.origin + self.target


def parse_url(text: str) -> Url:
    """Return an address that a person or a server gave.

    Raises:
        ForbiddenError: `forbidden_url` for anything but plain HTTP and HTTPS addresses. The
            message does not repeat the address, which may hold a password.
    """
    if len(text) > _LONGEST:
        raise _forbidden(f"is longer than {_LONGEST} characters")
    if "\\" in text or any(unicodedata.category(character) in _UNSEEN for character in text):
        raise _forbidden("holds a backslash, a blank or an unseen character")
    form = _FORM.fullmatch(text)
    if form is None:
        raise _forbidden(_why_not(text))
    scheme = form["scheme"].lower()
    host, port = _split(form["authority"], _PORTS[scheme])
    path = _without_dots(quote(form["path"], safe=_IN_PATH))
    return Url(scheme, host, port, path, quote(form["query"] or "", safe=_IN_QUERY))


def join_url(base: Url, reference: str) -> Url:
    """Return the address that a reference in a document or a redirect leads to.

    Raises:
        ForbiddenError: as `parse_url`.
    """
    if "\\" in reference or len(reference) > _LONGEST:
        raise _forbidden("holds a backslash or is too long")
    try:
        joined = urljoin(str(base), reference)
    except ValueError:
        raise _forbidden("cannot be read") from None
    return parse_url(joined)


def _split(authority: str, default: int) -> tuple[str, int]:
    if "@" in authority:
        raise _forbidden("holds a user name or password; leave them out, none is ever sent")
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None or ";" in authority:
        raise _forbidden("has no host and port that can be read")
    port = int(parts["port"] or default)
    if not 0 < port < 65536:
        raise _forbidden("has a port that does not exist")
    return canonical_host(parts["host"]), port


def _without_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")[1:] if path else [""]
    for position, segment in enumerate(segments):
        plain = segment.lower().replace("%2e", ".")
        if plain == "..":
            del kept[-1:]
        elif plain != ".":
            kept.append(segment)
        if plain in (".", "..") and position == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


def _why_not(text: str) -> str:
    scheme = _SCHEME.match(text)
    if scheme and scheme[1].lower() not in _PORTS:
        return f"begins with {scheme[1].lower()}:, and only http: and https: are fetched"
    return "is not of the form https://HOST[:PORT][/PATH][?QUERY]"


def _forbidden(detail: str) -> ForbiddenError:
    return ForbiddenError("forbidden_url", f"the address {detail}")
