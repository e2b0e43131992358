"""User and password in a URL, and the many ways in which manuals write about them."""

from __future__ import annotations

import pytest

from groundkit_index.guard import Finding, scan

# Put in at run time, so that no file here holds a URL with credentials.
_PASSWORD = "".join(("kV9", "fQz", "3Lw", "8Rt"))
_CAPITALS = "".join(("QZ", "7TR", "W2KV"))
_WEAK = "".join(("Vel", "omax", "7"))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://app:{}@db.corp.net:5432/orders",
        "postgres+asyncpg://app:{}@db.corp.net/orders",
        "mongodb+srv://app:{}@cluster0.ab12c.mongodb.net/?retryWrites=true",
        "https://deploy:{}@git.corp.net/team/repo.git",
        "redis://:{}@cache.corp.net:6379/0",
        "mysql://app:{}@mysql.corp.net/orders",
        "amqps://app:{}@[2a00:1450:4001:81b::200e]/vhost",
        "ftp://app:{}@93.184.216.34/incoming",
    ],
)
@pytest.mark.parametrize("password", [_PASSWORD, _WEAK, _CAPITALS])
def test_credentials_for_a_host_in_the_world_are_found(url: str, password: str) -> None:
    text = f"see below\n\n    DATABASE_URL={url.format(password)}\n"

    assert scan(text) == (Finding("url-credentials", 3),)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "[::1]", "10.0.0.5", "db", "db.default.svc", "nas.local"]
)
def test_for_a_host_nearby_only_a_generated_password_is_found(host: str) -> None:
    assert scan(f"postgres://app:{_PASSWORD}@{host}/orders") == (Finding("url-credentials", 1),)
    assert scan(f"postgres://app:{_WEAK}@{host}/orders") == ()


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "db.example.org",
        "www.example",
        "db.test",
        "yourserver.net",
        "host.com",
        "db.mycompany.io",
    ],
)
def test_an_example_host_has_no_credentials(host: str) -> None:
    assert scan(f"https://app:{_PASSWORD}@{host}/") == ()


@pytest.mark.parametrize(
    "password",
    [
        "password",
        "PASSWORD",
        "passw0rd",
        "DB_PASS",
        "DB_CREDENTIAL",
        "s3cret",
        "changeme",
        "mysecret",
        "<password>",
        "[password]",
        "{password}",
        "${DB_PASSWORD}",
        "$DB_PASSWORD",
        "{{ password }}",
        "{{password}}",
        "%(password)s",
        "%s",
        "******",
        "xxxxxxxx",
        "........",
        "hunter2",
        "123456",
        "guest",
        "postgres",
        "pw",
        "your-token",
        "anonymous",
    ],
)
def test_a_placeholder_is_no_password(password: str) -> None:
    assert scan(f"postgresql://user:{password}@db.corp.net/orders") == ()


@pytest.mark.parametrize(
    "text",
    [
        "https://db.corp.net:8443/@scope/package",
        "https://git@db.corp.net:8443/team/repo.git",
        "ssh://git@git.corp.net/team/repo.git",
        "git@git.corp.net:team/repo.git",
        f"https://corp.net/?next=a:{_PASSWORD}@b.net",
        f"https://corp.net/#a:{_PASSWORD}@b.net",
        "docker://alpine:3.18.2-slim-bookworm@sha256:0a1b2c",
        "http://corp.net:8080,someone@corp.net",
        "write to ops@corp.net: it is read",
        "jdbc:oracle:thin:@//db.corp.net:1521/orders",
    ],
)
def test_a_url_without_a_password_is_no_finding(text: str) -> None:
    assert scan(text) == ()


def test_a_token_in_the_place_of_the_user_is_found() -> None:
    token = _PASSWORD * 3

    assert scan(f"https://{token}:x-oauth-basic@git.corp.net/") == (Finding("url-credentials", 1),)
    assert scan("https://token:x-oauth-basic@git.corp.net/") == ()
