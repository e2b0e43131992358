"""`groundkit-mcp serve --http`: where it listens, and how it ends."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import pytest

from groundkit_core.errors import SettingsError
from groundkit_mcp.auth.static import new_token
from groundkit_mcp.cli import main
from groundkit_mcp.http import HttpSettings
from groundkit_mcp.http.binding import listen

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Served

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start_command(
    command: tuple[str, ...], environment: dict[str, str], index_dir: Path
) -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, **variables: str) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                [*command, "serve", "--http", "--index-dir", str(index_dir), *arguments],
                env={**environment, **variables},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        with process:
            process.kill()


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    said = re.fullmatch(
        r"groundkit-mcp: listening on (http://\S+)/mcp\n", process.stderr.readline()
    )
    assert said is not None
    return said[1]


def until_ready(base: str) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            if httpx2.get(f"{base}/readyz", trust_env=False).status_code == 200:
                return
        except httpx2.HTTPError:
            pass
        time.sleep(0.05)
    raise TimeoutError("the service does not get ready")


def test_it_serves_drains_on_sigterm_and_logs_no_request(start_command: Start) -> None:
    process = start_command("--port", "0", GROUNDKIT_PROFILE="engineer")
    base = address_of(process)
    until_ready(base)
    port = int(base.rpartition(":")[2])
    body = b'{"query": "zebra-canary"}'
    head = b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", port), 10) as running:
        # Half of the body before the signal, half after it: the request is under way.
        running.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body[:9])
        time.sleep(0.3)
        idle = socket.create_connection(("127.0.0.1", port), 10)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.4)
        running.sendall(body[9:])
        answer = b""
        while part := running.recv(65536):
            answer += part
        idle.close()
    assert b" 200 " in answer.splitlines()[0]
    assert b"server:" not in answer.lower()
    out, log = process.communicate(timeout=10)
    assert process.returncode == 0
    assert (out, log) == ("", "")


def test_a_client_that_does_not_end_does_not_keep_it_from_ending(
    start_service: Callable[..., Served],
) -> None:
    served = start_service(drain_seconds=1)
    with socket.create_connection(("127.0.0.1", served.port), 20) as stuck:
        stuck.sendall(b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        time.sleep(0.2)
        started = time.monotonic()
        served.stop()
        assert 0.5 < time.monotonic() - started < 5


def test_the_time_to_drain_is_below_ten_seconds() -> None:
    assert HttpSettings().drain_seconds < 10


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "", "0", "0x0", "::ffff:0.0.0.0", "192.0.2.1", "[::]", "bad host"]
)
def test_an_address_that_others_can_reach_is_refused(host: str) -> None:
    with pytest.raises(SettingsError):
        listen(host, 0, allowed=False)


def test_the_refusal_is_one_line_and_an_exit_code(start_command: Start, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(new_token("ci", ["read"])[1])
    refused = [
        start_command("--host", "0.0.0.0"),
        start_command("--host", "0.0.0.0", "--allow-remote"),
        start_command("--host", "0.0.0.0", GROUNDKIT_AUTH_TOKENS=str(tokens)),
    ]
    for process in refused:
        out, said = process.communicate(timeout=20)
        assert (process.returncode, out) == (2, "")
        assert said.count("\n") == 1
        assert "--allow-remote and configured authentication" in said


def test_a_routable_address_with_both_is_served_to_known_hosts_with_a_token(
    start_command: Start, tmp_path: Path
) -> None:
    token, lines = new_token("ci", ["read"])
    (tmp_path / "tokens.toml").write_text(lines)
    process = start_command(
        *("--host", "0.0.0.0", "--port", "0", "--allow-remote", "--allow-host", "docs.example"),
        GROUNDKIT_AUTH_TOKENS=str(tmp_path / "tokens.toml"),
    )
    base = address_of(process).replace("0.0.0.0", "127.0.0.1")
    until_ready(base)
    with httpx2.Client(base_url=base, trust_env=False) as client:
        bearer = {"authorization": f"Bearer {token}"}
        for host, status in (("docs.example", 200), ("evil.com", 421), ("0.0.0.0", 421)):
            answer = client.get("/v1/sources", headers={**bearer, "host": host})
            assert answer.status_code == status
        assert client.get("/v1/sources").status_code == 401


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2", "127.1"])
def test_loopback_in_any_spelling_is_open_to_listen_on(host: str) -> None:
    opened = listen(host, 0, allowed=False)
    assert opened
    for one in opened:
        one.close()


def test_unknown_names_are_refused_without_a_traceback() -> None:
    for host in ("no-such-host.invalid", "a" * 300, "bad host", "ex\0ample"):
        with pytest.raises((SettingsError, ValueError)):
            listen(host, 0, allowed=True)


def test_a_port_in_use_is_one_line(start_command: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = start_command("--port", str(taken.getsockname()[1]))
        out, said = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, "")
    assert said.count("\n") == 1
    assert "address already in use; try another --port" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("--port", "70000"),
        ("--port", "-1"),
        ("--port", "http"),
        ("--port", "0", "--allow-host", "*"),
        ("--port", "0", "--allow-host", "http://docs.example"),
        ("--host", "no-such-host.invalid"),
        ("--host", "127.0.0.1", "--host"),
    ],
)
def test_wrong_options_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--http", *arguments])
    said = capsys.readouterr()
    assert (ended.value.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith("groundkit-mcp: ")


def test_half_of_an_authentication_is_one_line_after_the_address(start_command: Start) -> None:
    process = start_command("--port", "0", "--auth-issuer", "https://issuer.example")
    out, said = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, "")
    assert said == ("groundkit-mcp: --auth-keys, --auth-issuer and --auth-audience go together\n")


def test_configuration_of_a_repository_opens_nothing(
    start_command: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "groundkit.toml").write_text('auth_tokens = "tokens.toml"\nhost = "0.0.0.0"\n')
    monkeypatch.chdir(tmp_path)
    process = start_command("--port", "0")
    _, said = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "setting " in said


def test_http_options_without_http_are_refused(
    command: tuple[str, ...], environment: dict[str, str]
) -> None:
    done = subprocess.run(
        [*command, "serve", "--host", "127.0.0.1"],
        env=environment,
        input="",
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "need --http" in done.stderr
