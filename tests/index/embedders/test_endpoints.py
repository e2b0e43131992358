from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_core.errors import SettingsError
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.embedders.remote.endpoint import checked_endpoint


@pytest.mark.parametrize(
    ("endpoint", "expected"),
    [
        ("https://example.org/v1/", "https://example.org/v1"),
        ("https://example.org:8443", "https://example.org:8443"),
        ("https://[2001:db8::1]/v1", "https://[2001:db8::1]/v1"),
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434"),
        ("http://127.9.8.7/", "http://127.9.8.7"),
        ("http://localhost:8080/v1", "http://localhost:8080/v1"),
        ("HTTP://LocalHost/v1", "http://localhost/v1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_https_and_http_to_this_machine_are_accepted(endpoint: str, expected: str) -> None:
    assert checked_endpoint(endpoint) == expected


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "example.org/v1",
        "//example.org",
        "ftp://example.org",
        "file:///etc/passwd",
        "http://example.org",
        "http://10.0.0.1",
        "http://169.254.169.254/latest",
        "http://0.0.0.0:8080",
        "http://127.1",
        "http://2130706433",
        "http://0x7f000001",
        "http://[::ffff:127.0.0.1]",
        "http://[::1%25eth0]",
        "http://[127.0.0.1]",
        "http://localhost.example.org",
        "http://localhost.",
        "http://127.0.0.1.example.org",
        "http://127.0.0.1\\@example.org",
        "http://127.0.0.1:0",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:port",
        "https://user:secret@example.org",
        "https://secret@example.org",
        "https://@example.org",
        "https://example.org/v1?key=secret",
        "https://example.org/v1?",
        "https://example.org/v1#part",
        "https://example.org/v1#",
        "https://example.org/a b",
        "https://example.org/\n",
        " https://example.org",
        "https://exämple.org",
        "https:///v1",
        "https://[::1",
        "https://example.org/../secret",
    ],
)
def test_everything_else_is_refused_without_being_repeated(endpoint: str) -> None:
    with pytest.raises(SettingsError) as refused:
        checked_endpoint(endpoint)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30), st.sampled_from(["http://", "https://", "http://127.0.0.1", ""]))
def test_any_text_is_an_endpoint_or_refused(text: str, start: str) -> None:
    try:
        endpoint = checked_endpoint(start + text)
    except SettingsError:
        return
    assert endpoint.startswith(("https://", "http://127.", "http://localhost", "http://[::1]"))
    assert checked_endpoint(endpoint) == endpoint


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_the_rules_hold_for_every_remote_provider(provider: str) -> None:
    wrong = EmbedderSettings(provider, model="m", endpoint="http://192.168.1.2:11434")
    with pytest.raises(SettingsError, match=r"192\.168\.1\.2 unencrypted"):
        make_embedder(wrong)
