"""Tokens that are listed in a file."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from groundkit_core.errors import SettingsError
from groundkit_mcp.auth.static import StaticTokens, new_token


def test_the_command_prints_a_token_once_and_a_line_without_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "groundkit_mcp", "token", "new", "--subject", "ci@example"]
    first, second = (
        subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        for _ in range(2)
    )
    token, _, lines = first.stdout.partition("\n")
    assert token.startswith("gk_")
    assert len(token) >= 40
    assert token not in lines + first.stderr
    assert first.stderr == ""
    assert second.stdout.partition("\n")[0] != token
    (entry,) = tomllib.loads(lines)["token"]
    assert entry == {
        "subject": "ci@example",
        "sha256": hashlib.sha256(token.encode()).hexdigest(),
        "scopes": ["read", "search"],
    }
    assert list(tmp_path.iterdir()) == []


def test_the_command_adds_to_a_file_that_then_knows_the_token(tmp_path: Path) -> None:
    path = tmp_path / "tokens.toml"
    command = [sys.executable, "-m", "groundkit_mcp", "token", "new", "--file", str(path)]
    made = []
    for subject in ("first", "second"):
        arguments = [*command, "--subject", subject, "--scope", "read"]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
        made.append(done.stdout.rstrip("\n"))
    tokens = StaticTokens(path)
    for token, subject in zip(made, ("first", "second"), strict=True):
        caller = asyncio.run(tokens.caller_of(token))
        assert caller is not None
        assert (caller.principal.subject, caller.scopes) == (subject, frozenset({"read"}))
        assert token not in path.read_text()
    assert os.name != "posix" or path.stat().st_mode & 0o777 == 0o600


def test_an_impossible_subject_is_a_usage_error() -> None:
    command = [sys.executable, "-m", "groundkit_mcp", "token", "new", "--subject", 'a"\nb']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_claims_and_scopes_come_from_the_file_and_a_change_counts_at_once(tmp_path: Path) -> None:
    token, lines = new_token("ci", ["read"])
    path = tmp_path / "tokens.toml"
    path.write_text(lines + 'claims = {groups = ["docs"]}\n')
    tokens = StaticTokens(path)
    caller = asyncio.run(tokens.caller_of(token))
    assert caller is not None
    assert (caller.principal.subject, caller.scopes) == ("ci", frozenset({"read"}))
    assert caller.principal.holds("groups", "docs")
    assert asyncio.run(tokens.caller_of(token + "x")) is None
    assert asyncio.run(tokens.caller_of(token[:-1])) is None
    path.write_text(new_token("other", [])[1])
    assert asyncio.run(tokens.caller_of(token)) is None


def test_a_file_that_breaks_lets_nobody_in(tmp_path: Path) -> None:
    token, lines = new_token("ci", [])
    path = tmp_path / "tokens.toml"
    path.write_text(lines)
    tokens = StaticTokens(path)
    path.write_text(lines + "[[token]]\n")
    for _ in range(2):
        with pytest.raises(SettingsError):
            asyncio.run(tokens.caller_of(token))
    path.unlink()
    with pytest.raises(SettingsError):
        asyncio.run(tokens.caller_of(token))


@pytest.mark.parametrize(
    "content",
    [
        b"\xff",
        b"token = 7",
        b"[[token]]\nsubject = 'ci'",
        b"[[token]]\nsubject = 'ci'\nsha256 = 'SECRETVALUE'",
        b"[[token]]\nsubject = ''\nsha256 = '" + b"0" * 64 + b"'",
        b"[[token]]\nsubject = 'ci'\nsha256 = '" + b"0" * 64 + b"'\nscope = 'read'",
        b"[[token]]\nsubject = 'ci'\nsha256 = '" + b"0" * 64 + b"'\ntoken = 'SECRETVALUE'",
    ],
)
def test_a_malformed_file_is_named_without_its_content(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tokens.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=r"^tokens\.toml: ") as caught:
        StaticTokens(tmp_path / "tokens.toml")
    assert "SECRETVALUE" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of POSIX")
def test_a_file_that_anybody_may_write_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokens.toml"
    path.write_text(new_token("ci", [])[1])
    path.chmod(0o666)
    with pytest.raises(SettingsError, match="anybody may write"):
        StaticTokens(path)
