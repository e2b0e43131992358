from __future__ import annotations

import subprocess
import sys


def test_core_does_not_bring_the_policy_along() -> None:
    check = "import sys, groundkit_core, groundkit_core.contracts; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert "groundkit_core.access" not in done.stdout
