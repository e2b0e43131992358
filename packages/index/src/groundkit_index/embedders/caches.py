"""Where downloaded weights are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def weights_folder(chosen: Path | None) -> Path:
    """Return the folder for downloaded weights.

    What is chosen comes first, then `FASTEMBED_CACHE_PATH`, then `groundkit/models` in the
    user's cache folder.
    """
    if chosen is not None:
        return chosen
    if fastembed := os.environ.get("FASTEMBED_CACHE_PATH"):
        return Path(fastembed)
    return _user_cache() / "groundkit" / "models"


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
