"""Which addresses texts may be sent to."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from groundkit_core.errors import SettingsError

_RULE = "use https://HOST[:PORT][/PATH], or http:// for this machine"
_PLAIN = re.compile(r"[!-~]+")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_LOOPBACK = ipaddress.ip_network("127.0.0.0/8")


def checked_endpoint(endpoint: str) -> str:
    """Return an endpoint without its trailing slash.

    HTTPS is accepted to any host, HTTP only to `127.0.0.0/8`, `::1` and `localhost`.

    Raises:
        SettingsError: another scheme or host, or credentials, a query or a fragment. The
            message does not repeat the endpoint, which may hold a secret.
    """
    if not _PLAIN.fullmatch(endpoint) or "\\" in endpoint:
        raise SettingsError(f"the embedding endpoint is not a plain address; {_RULE}")
    if "@" in endpoint:
        raise SettingsError("the embedding endpoint must hold no credentials; use api_key_env")
    if "?" in endpoint or "#" in endpoint:
        raise SettingsError("the embedding endpoint must have no query and no fragment")
    scheme, host, port, path = _parts(endpoint)
    if scheme not in ("http", "https"):
        raise SettingsError(f"the embedding endpoint is neither https nor http; {_RULE}")
    if scheme == "http" and not _is_loopback(host):
        raise SettingsError(f"the embedding endpoint sends texts to {host} unencrypted; {_RULE}")
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}{'' if port is None else f':{port}'}{path.rstrip('/')}"


def is_on_this_machine(endpoint: str) -> bool:
    """Return whether an endpoint is an address of this machine.

    Raises:
        SettingsError: it is no address.
    """
    return _is_loopback(_parts(endpoint)[1])


def _parts(endpoint: str) -> tuple[str, str, int | None, str]:
    try:
        split = urlsplit(endpoint)
        port = split.port
        host = split.hostname or ""
    except ValueError as error:
        raise SettingsError(f"the embedding endpoint is not an address; {_RULE}") from error
    if not _is_host(host, split) or (".." in split.path.split("/")) or port == 0:
        raise SettingsError(f"the embedding endpoint is not an address; {_RULE}")
    return split.scheme, host, port, split.path


def _is_host(host: str, split: SplitResult) -> bool:
    if "[" in split.netloc:
        try:
            return ipaddress.ip_address(host).version == 6
        except ValueError:
            return False
    return _HOST.fullmatch(host) is not None


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address in _LOOPBACK if address.version == 4 else host == "::1"
