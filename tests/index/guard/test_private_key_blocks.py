"""Private keys in PEM form; the blocks are put together at run time."""

from __future__ import annotations

import base64
import json
import random
import textwrap

import pytest

from groundkit_index.guard import Finding, scan

_RULE = "-" * 5


def _body(size: int, seed: int = 3) -> str:
    return base64.b64encode(random.Random(seed).randbytes(size)).decode()


def _block(kind: str, body: str, headers: str = "") -> str:
    lines = "\n".join(textwrap.wrap(body, 64))
    return f"{_RULE}BEGIN {kind}{_RULE}\n{headers}{lines}\n{_RULE}END {kind}{_RULE}\n"


@pytest.mark.parametrize(
    "kind",
    [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "DSA PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ],
)
def test_a_private_key_block_is_found_on_its_first_line(kind: str) -> None:
    assert scan("# notes\n\n" + _block(kind, _body(600))) == (Finding("private-key", 3),)


def test_the_shortest_key_in_use_is_found() -> None:
    assert scan(_block("PRIVATE KEY", _body(48))) == (Finding("private-key", 1),)


@pytest.mark.parametrize(
    "headers",
    [
        "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n",
        "Version: GnuPG v2\nComment: a key of ours\n\n",
    ],
)
def test_headers_do_not_hide_a_key(headers: str) -> None:
    assert scan(_block("RSA PRIVATE KEY", _body(600), headers)) == (Finding("private-key", 1),)


def test_a_key_inside_other_syntax_is_found() -> None:
    block = _block("PRIVATE KEY", _body(600))
    quoted = "\n".join(f'    "{line}\\n"' for line in block.splitlines())
    added = " +\n".join(f"'{line}\\n'" for line in block.splitlines())
    listed = "key: |\n" + textwrap.indent(block, "    ")
    cited = textwrap.indent(block, "> ")
    windows = block.replace("\n", "\r\n")
    escaped = json.dumps({"type": "service_account", "private_key": block})

    for text in (quoted, added, listed, cited, windows, escaped, block.replace("\n", "\\r\\n")):
        assert [finding.rule_id for finding in scan(text)] == ["private-key"]


def test_a_key_inside_base64_is_found() -> None:
    encoded = base64.b64encode(_block("RSA PRIVATE KEY", _body(600)).encode()).decode()

    assert scan(f"users:\n- client-key-data: {encoded}\n") == (Finding("private-key-base64", 2),)


@pytest.mark.parametrize("kind", ["CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY"])
def test_what_is_public_is_no_finding(kind: str) -> None:
    block = _block(kind, _body(600))

    assert scan(block) == ()
    assert scan(base64.b64encode(block.encode()).decode()) == ()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "...",
        "MIIEpAIBAAKCAQEA...",
        # all that is common to RSA keys in PKCS #8
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7...",
        "<your private key>",
        "x" * 64,
        "YOUR KEY HERE",
    ],
)
def test_a_block_without_a_key_is_no_finding(body: str) -> None:
    assert scan(_block("RSA PRIVATE KEY", body)) == ()


def test_the_name_of_a_block_is_no_finding() -> None:
    begin = f"{_RULE}BEGIN PRIVATE KEY{_RULE}"

    assert scan(f"A file that begins with `{begin}` holds a key, says the manual of OpenSSL.") == ()
    assert scan(f'if "{begin}" in text:\n    raise {"A" * 10}{"b1" * 40}(text)\n') == ()
