"""Which ports web servers have."""

from __future__ import annotations

from collections.abc import Collection

from groundkit_index.web.errors import ForbiddenError
from groundkit_index.web.urls import Url

_WEB = frozenset({80, 443})
_FIRST_UNPRIVILEGED = 1024
_OTHER_SERVICES = frozenset(
    {
        *(1080, 1099, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379),
        *(2380, 3128, 3260, 3268, 3269, 3306, 3389, 3659, 3690, 4045, 4190, 4369, 5060, 5061),
        *(5222, 5269, 5432, 5433, 5671, 5672, 5984, 5985, 5986, 6379, 6380, 6443, 6566, 6697),
        *(7000, 7001, 7199, 7473, 7474, 7687, 8086, 8300, 8301, 8500, 8883, 9042, 9092, 9160),
        *(9200, 9300, 9418, 10050, 10051, 10080, 10250, 10255, 11211, 11434, 26379, 27017),
        *(27018, 27019, 28015, 28017),
        *range(5900, 5911),  # VNC
        *range(6000, 6064),  # X11
        *range(6660, 6670),  # IRC
    }
)


def check_port(url: Url, extra: Collection[int] = ()) -> None:
    """Check that a port is one of the web: 80, 443, or from 1024 on none of another service.

    Args:
        url: the address.
        extra: further ports that the operator allows.

    Raises:
        ForbiddenError: `forbidden_port`.
    """
    port = url.port
    if port in _WEB or port in extra:
        return
    if port < _FIRST_UNPRIVILEGED or port in _OTHER_SERVICES:
        raise ForbiddenError("forbidden_port", f"port {port} is not one of the web", url.shown)
