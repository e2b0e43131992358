"""What must be installed before vectors can be read or written."""

from __future__ import annotations

from groundkit_core.errors import SettingsError


def need_vectors() -> None:
    """Return when vectors can be computed with.

    Raises:
        SettingsError: a package is not installed; the message says how to get it.
    """
    try:
        import numpy as np
    except ImportError:
        raise SettingsError(
            "vectors need packages that are not installed; run "
            "`pip install 'groundkit-retrieval[local]'`, or '[remote]' where a server embeds"
        ) from None
    del np
