"""What an attacker sends is not what an operator reads."""

from __future__ import annotations

import json
import socket

import pytest
from tests.mcp.http.attacks.deployed import CANARY, Deployed


def test_a_token_in_a_url_is_refused_and_stands_in_no_log(deployed: Deployed) -> None:
    token = deployed.tokens["ann"]

    def attack() -> None:
        for path in (f"/v1/sources?access_token={token}", f"/mcp?token={token}", f"/{token}"):
            answer = deployed.client.get(path)
            assert answer.status_code == 401
            assert token not in answer.text
        with socket.create_connection(("127.0.0.1", deployed.port), 10) as raw:
            raw.sendall(f"GET /v1/sources?access_token={token} HTTP/9\r\n\r\n".encode())
            raw.recv(1000)

    log = deployed.log_of(3, attack)
    assert token not in log
    assert "access_token" not in log


def test_what_an_attacker_sends_stands_in_no_log(deployed: Deployed) -> None:
    foreign = {"host": f"{CANARY}.example", "user-agent": CANARY}

    def attack() -> None:
        deployed.search(CANARY)
        deployed.search(CANARY * 100)
        deployed.get(f"/v1/sources?{CANARY}=1")
        deployed.get(f"/v1/chunks/{CANARY}")
        deployed.get(f"/{CANARY}")
        deployed.client.get("/healthz", headers=foreign)
        deployed.client.get("/v1/status", headers={"authorization": f"Bearer {CANARY}"})
        deployed.rpc("tools/call", {"name": CANARY, "arguments": {"query": CANARY}})
        deployed.rpc("tools/call", {"name": "search", "arguments": {"query": [CANARY]}})
        deployed.rpc("prompts/get", {"name": CANARY, "arguments": {CANARY: CANARY}})
        deployed.rpc("resources/read", {"uri": f"file:///{CANARY}"})
        deployed.rpc(CANARY, {CANARY: CANARY})

    log = deployed.log_of(12, attack)
    assert CANARY not in log
    assert deployed.tokens["ann"] not in log
    assert "Traceback" not in log


@pytest.mark.parametrize("collection", ["default", CANARY])
def test_the_address_of_a_resource_stands_in_no_log(deployed: Deployed, collection: str) -> None:
    uri = f"groundkit://{collection}/chunks/{CANARY}"
    assert CANARY not in deployed.log_of(1, lambda: deployed.rpc("resources/read", {"uri": uri}))


def test_every_line_of_a_json_log_is_an_object(deployed: Deployed) -> None:
    params = {"uri": f"groundkit://default/chunks/{'0' * 24}"}
    logged = deployed.log_of(1, lambda: deployed.rpc("resources/read", params)).splitlines()
    assert all(isinstance(json.loads(line), dict) for line in logged)
