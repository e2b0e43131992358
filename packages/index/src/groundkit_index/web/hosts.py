"""Hosts of addresses in one spelling."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address

from groundkit_index.web.errors import ForbiddenError

_LONGEST = 253
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")


def canonical_host(text: str) -> str:
    """Return a host in the one spelling that is compared, resolved and shown.

    IPv4 addresses in any spelling of `inet_aton` become four decimals, IPv6 addresses lose their
    brackets, names become lower-case ASCII (IDNA 2008, punycode) without a trailing dot.

    Raises:
        ForbiddenError: `forbidden_url`; the message does not repeat the host.
    """
    if text.startswith("["):
        return str(_ipv6(text))
    host = (text if text.isascii() else _mapped(text)).lower().removesuffix(".")
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return str(_ipv4(labels))
    if len(host) > _LONGEST or not all(map(_LABEL.fullmatch, labels)):
        raise _forbidden("its host is not a name")
    if any(label.startswith("xn--") for label in labels):
        _check_punycode(host)
    return host


def _ipv6(text: str) -> IPv6Address:
    try:
        # An interface of this machine (`%eth0`) is no part of an address on the web.
        if text.endswith("]") and "%" not in text:
            return IPv6Address(text[1:-1])
    except ValueError:
        pass
    raise _forbidden("its host is not an IPv6 address")


def _ipv4(labels: list[str]) -> IPv4Address:
    """Read numbers as `inet_aton` does: octal, hexadecimal, and the last one fills the rest."""
    numbers = [_number(label) for label in labels]
    *bytes_, last = numbers
    if len(numbers) > 4 or any(byte > 255 for byte in bytes_) or last >= 256 ** (5 - len(numbers)):
        raise _forbidden("its host is not an IPv4 address")
    return IPv4Address(sum(byte << 8 * (3 - place) for place, byte in enumerate(bytes_)) + last)


def _number(label: str) -> int:
    if label.startswith("0x"):
        digits, base = label[2:] or "0", 16
    else:
        digits, base = label, 8 if label.startswith("0") else 10
    try:
        return int(digits, base) if _NUMBER.fullmatch(label) else 2**32
    except ValueError:
        return 2**32  # an eight or a nine in an octal number: too large for any place


def _mapped(text: str) -> str:
    """Return a name in ASCII; UTS 46 maps what looks like ASCII, such as full-width digits."""
    import idna

    if len(text) > _LONGEST:
        raise _forbidden("its host is too long")
    try:
        return idna.encode(text, uts46=True).decode("ascii")
    except ValueError:
        raise _forbidden("its host is not a name that IDNA 2008 allows") from None


def _check_punycode(host: str) -> None:
    import idna

    try:
        for label in host.split("."):
            if label.startswith("xn--"):
                idna.decode(label)
    except ValueError:
        raise _forbidden("its host is not a name that IDNA 2008 allows") from None


def _forbidden(detail: str) -> ForbiddenError:
    return ForbiddenError("forbidden_url", f"the address cannot be used: {detail}")
