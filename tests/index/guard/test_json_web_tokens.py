"""JSON Web Tokens; they are signed with nothing and made at run time."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import pytest

from groundkit_index.guard import Finding, scan

_SIGNATURE = base64.urlsafe_b64encode(random.Random(5).randbytes(32)).decode().rstrip("=")
_ISSUED = 1_700_000_000
_CLAIMS = {"iss": "https://auth.corp.net", "sub": "8b1f", "iat": _ISSUED}


def _part(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _token(claims: Any, header: Any = None, signature: str = _SIGNATURE) -> str:
    return f"{_part(header or {'alg': 'HS256', 'typ': 'JWT'})}.{_part(claims)}.{signature}"


@pytest.mark.parametrize(
    "claims",
    [
        _CLAIMS,
        {**_CLAIMS, "exp": _ISSUED + 90_000},
        {"nbf": 1_700_000_000, "exp": 1_800_000_000},
        {"exp": 1_800_000_000},
        '{"iat":1,"exp":' + "9" * 4400 + "}",
        '{"iat":1e999,"exp":1e999}',
    ],
)
def test_a_signed_token_that_stays_valid_is_found(claims: Any) -> None:
    assert scan(f"curl -H 'Authorization: Bearer {_token(claims)}'") == (Finding("jwt", 1),)


@pytest.mark.parametrize(
    "claims",
    [
        {**_CLAIMS, "exp": _ISSUED + 86_400},
        {**_CLAIMS, "sub": "1234567890"},
        {**_CLAIMS, "name": "John Doe"},
        {**_CLAIMS, "iss": "https://auth.example.com"},
        {"some": "payload"},
        '{"sub":' + "[" * 2500 + "]" * 2500 + "}",
        '{"sub":"8b1f"',
    ],
)
def test_a_token_that_is_dead_or_from_a_manual_is_no_finding(claims: Any) -> None:
    assert scan(_token(claims)) == ()


@pytest.mark.parametrize("header", [{"alg": "none"}, {"typ": "JWT"}, {"alg": 256}, '{"alg":"HS'])
def test_a_token_that_is_not_signed_is_no_finding(header: Any) -> None:
    assert scan(_token(_CLAIMS, header)) == ()


def test_a_shortened_token_is_no_finding() -> None:
    assert scan(_token(_CLAIMS, signature="abc")) == ()
    assert scan(_token(_CLAIMS)[:40] + "...") == ()
