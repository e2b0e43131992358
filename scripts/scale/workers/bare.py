"""Build the bare tantivy index: `ROWS FOLDER`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from scripts.bench.phases import size_bytes
from scripts.scale import bare
from scripts.scale.rows import read_rows


def main() -> None:
    """Build it and print seconds and bytes."""
    rows, folder = map(Path, sys.argv[1:])
    started = time.perf_counter()
    bare.build(folder, read_rows(rows))
    print(json.dumps({"seconds": time.perf_counter() - started, "bytes": size_bytes(folder)}))


if __name__ == "__main__":
    main()
