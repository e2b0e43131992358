"""The service with a heartbeat on its event loop: says how late the loop ever was.

python -m scripts.serving.observed INDEX_DIR; prints where it listens, and once standard input
ends the percentiles of the delay in milliseconds as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys

from scripts.bench.stats import percentile

from groundkit_core.settings import load_settings
from groundkit_mcp.deployment import service_of
from groundkit_mcp.fastmcp_settings import pin_fastmcp
from groundkit_mcp.http.binding import listen
from groundkit_mcp.http.settings import HttpSettings

_PERIOD = 0.005


async def _beat(delays: list[float]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _PERIOD
        await asyncio.sleep(_PERIOD)
        delays.append(1000 * (loop.time() - due))


async def _serve(index_dir: str) -> None:
    pin_fastmcp()
    from groundkit_mcp.http.app import build_app
    from groundkit_mcp.http.serving import server_of

    settings = HttpSettings()
    service = service_of(load_settings(index_dir=index_dir), None, watch=False)
    (opened,) = listen("127.0.0.1", 0, allowed=False)
    server = server_of(build_app(service, settings), settings)
    delays: list[float] = []
    asyncio.get_running_loop().add_reader(sys.stdin, setattr, server, "should_exit", True)
    beating = asyncio.create_task(_beat(delays))
    print(f"listening on http://127.0.0.1:{opened.getsockname()[1]}", file=sys.stderr, flush=True)
    await server.serve(sockets=[opened])
    beating.cancel()
    print(json.dumps({str(p): percentile(delays, p) for p in (50, 99, 99.9, 100)}), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1]))
