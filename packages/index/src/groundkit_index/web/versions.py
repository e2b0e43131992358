"""How requests introduce themselves."""

from __future__ import annotations

import groundkit_index

PRODUCT = "groundkit"
"""The name that a robots.txt may give rules for."""

USER_AGENT = f"{PRODUCT}/{groundkit_index.__version__}"
