"""Runs schemathesis over /openapi.json of the real server: `make schemathesis`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from tests.conformance.service import HERE, Service, running

_COMMAND = HERE / ".venv/bin/schemathesis"
_OPTIONS = (
    *("--checks", "all", "--continue-on-failure", "--no-color"),
    *("--max-examples", "150", "--generation-database", "none", "--warnings", "off"),
)


def main() -> int:
    """Run it on a server that is made for it; options of the command line are passed on."""
    with tempfile.TemporaryDirectory() as made, running(Path(made)) as service:
        command = [str(_COMMAND), "run", f"{service.url}/openapi.json", *_OPTIONS, *sys.argv[1:]]
        env = {
            **os.environ,
            "PYTHONPATH": str(HERE.parents[1]),
            "SCHEMATHESIS_HOOKS": "tests.conformance.hooks",
            "GROUNDKIT_CHUNK_IDS": " ".join(_chunk_ids(service)),
        }
        code = subprocess.run(command, cwd=made, env=env, check=False).returncode
        if "Traceback" in service.log():
            print(f"the server logged an error:\n{service.log()}")
            return 1
    return code


def _chunk_ids(service: Service) -> list[str]:
    request = urllib.request.Request(
        f"{service.url}/v1/search",
        data=b'{"query": "zebra gateway lease"}',
        headers={"Content-Type": "application/json"},
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=30) as answer:
        return [result["chunk_id"] for result in json.load(answer)["results"]]


if __name__ == "__main__":
    sys.exit(main())
