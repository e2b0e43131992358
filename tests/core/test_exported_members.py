from __future__ import annotations

import groundkit_core


def test_the_public_names_are_these() -> None:
    assert groundkit_core.__all__ == ["__version__"]
    assert all(hasattr(groundkit_core, name) for name in groundkit_core.__all__)
