"""Credentials in URLs: `scheme://user:password@host`."""

from __future__ import annotations

import ipaddress
import re

from groundkit_index.guard.placeholders import looks_generated

CREDENTIALS = re.compile(
    r"://(?P<user>[^\s/?#:@\"'`<>\\|]{0,128}):"
    r"(?P<password>[^\s/?#\"'`<>\\|]{6,256})@"
    r"(?P<host>[A-Za-z0-9][A-Za-z0-9.-]{0,253}|\[[0-9A-Fa-f:.]{2,45}\])"
)
_LOCAL_PASSWORD_LENGTH = 12
_USER_IS_TOKEN = frozenset({"x-oauth-basic"})
# A word that stands for a password, a template's syntax, a masked value, or a port and more.
_PLACEHOLDER = re.compile(
    r".*(?:\.\.\.|…|\*\*|%s|[{}\[\]()]|1234|anon|change.?me|contrase|demo|dummy|example|fake|hidden"
    r"|hunter2|letmein|p[4a@]ss|placeholder|pwd|qwerty|redacted|s[3e]cr[3e]t|sample|test|token|xxx"
    r"|your).*"
    r"|[$%:!].*|\d+[,;].*|(.)\1*"
    r"|abc\d*|admin\d*|bar|baz|default|docker|foo|foobar|guest|hello|key|minioadmin|mongo|mysql|null"
    r"|postgres|rabbitmq|redis|root|user(?:name)?|value",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"[A-Z]+(?:[_-][A-Z0-9]+)*")
_EXAMPLE_HOST = re.compile(
    r".*\.(?:example|invalid|test)"
    r"|(?:.*\.)?(?:example|your[a-z-]*|my-?(?:app|company|corp|db|domain|host|org|proxy|server|site))"
    r"(?:\..*)?"
    r"|(?:.*\.)?(?:acme|bar|company|contoso|domain|fabrikam|foo|host|server|site|website)\.[a-z]{2,6}"
)
_DIGESTS = frozenset({"sha256", "sha512"})
_LOCAL_SUFFIXES = (".internal", ".lan", ".local", ".localdomain", ".localhost", ".svc")


def is_credential(match: re.Match[str]) -> bool:
    """Confirm a `CREDENTIALS` match: the password is no placeholder and the host no example.

    For a host that is reachable from nowhere else, such as `localhost`, `db` or `10.0.0.5`, a
    password counts only when it looks generated, because tutorials are full of the others.
    """
    host = match["host"].strip("[]").rstrip(".").lower()
    password = match["password"]
    if password in _USER_IS_TOKEN:
        password = match["user"]
    if host in _DIGESTS or is_placeholder(password):
        return False
    if _is_local(host):
        return len(password) >= _LOCAL_PASSWORD_LENGTH and looks_generated(password)
    return not _EXAMPLE_HOST.fullmatch(host)


def is_placeholder(password: str) -> bool:
    """Return whether a password stands for the one a reader is to fill in."""
    return bool(_PLACEHOLDER.fullmatch(password) or _CAPITALS.fullmatch(password))


def _is_local(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_SUFFIXES)
