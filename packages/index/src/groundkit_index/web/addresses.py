"""Which addresses belong to the public internet."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

IPAddress = IPv4Address | IPv6Address

# The IANA special-purpose registries. The tables of `ipaddress` differ between the releases
# of Python that are supported, so they are written out.
_SPECIAL_V4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT
            "127.0.0.0/8",
            "169.254.0.0/16",  # link-local, and where clouds keep their metadata
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",
            "198.18.0.0/15",  # benchmarking
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
_UNICAST_V6 = IPv6Network("2000::/3")
_SPECIAL_V6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarking
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4
            "3fff::/20",  # documentation
        ),
    )
)
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = frozenset({b"\x00\x00\x5e\xfe", b"\x02\x00\x5e\xfe"})


def is_public(address: IPAddress) -> bool:
    """Return whether an address is global unicast.

    An IPv4 address inside an IPv6 one (mapped, NAT64, ISATAP) must be public, too; 6to4, Teredo
    and IPv4-compatible addresses never are. The prefix of a private NAT64 cannot be recognised.
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_V4)
    if address.scope_id is not None:
        return False
    if address in _MAPPED or address in _NAT64:
        return is_public(_last_v4(address))
    if address.packed[8:12] in _ISATAP and not is_public(_last_v4(address)):
        return False
    return address in _UNICAST_V6 and not any(address in network for network in _SPECIAL_V6)


def _last_v4(address: IPv6Address) -> IPv4Address:
    return IPv4Address(address.packed[12:])
