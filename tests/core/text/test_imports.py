from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
import groundkit_core.anchors, groundkit_core.chunking, groundkit_core.kinds
from groundkit_core.text import decode
decode("naïve".encode())
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.fixture(scope="module")
def loaded() -> list[str]:
    """The packages that a process has loaded once it can decode and chunk."""
    command = [sys.executable, "-c", SCRIPT]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("package", ["pydantic", "charset_normalizer"])
def test_decoding_and_chunking_load_no_heavy_package(loaded: list[str], package: str) -> None:
    assert "groundkit_core" in loaded
    assert package not in loaded
