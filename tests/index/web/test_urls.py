"""Addresses are read strictly and written in one way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundkit_index.web.errors import ForbiddenError
from groundkit_index.web.ports import check_port
from groundkit_index.web.urls import join_url, parse_url

SPELLINGS = {
    "HTTP://Example.ORG": "http://example.org/",
    "http://example.org:80/": "http://example.org/",
    "https://example.org:443/": "https://example.org/",
    "https://example.org:/a": "https://example.org/a",
    "http://example.org:8080/": "http://example.org:8080/",
    "http://example.org./": "http://example.org/",
    "http://example.org/a#part": "http://example.org/a",
    "http://example.org?x=1": "http://example.org/?x=1",
    "http://example.org/a?": "http://example.org/a",
    "http://example.org/a?b=2&a=1#x": "http://example.org/a?b=2&a=1",
    "http://example.org/a/../b/./c": "http://example.org/b/c",
    "http://example.org/a/%2E%2e/b": "http://example.org/b",
    "http://example.org/../../b": "http://example.org/b",
    "http://example.org/a/..": "http://example.org/",
    "http://example.org/a/b/.": "http://example.org/a/b/",
    "http://example.org/a;v=1/b": "http://example.org/a;v=1/b",
    "http://example.org//a//b": "http://example.org//a//b",
    "http://example.org/Käse?q=日": "http://example.org/K%C3%A4se?q=%E6%97%A5",
    "http://example.org/%7Ea%zz": "http://example.org/%7Ea%zz",
    "http://bücher.example/": "http://xn--bcher-kva.example/",
    "http://XN--BCHER-KVA.example/": "http://xn--bcher-kva.example/",
    "http://faß.de/": "http://xn--fa-hia.de/",
    "http://аррӏе.com/": "http://xn--80ak6aa92e.com/",
    "http://ｅｘａｍｐｌｅ.org/": "http://example.org/",
    "http://a_b.example.org/": "http://a_b.example.org/",
    "http://0177.0.0.1/": "http://127.0.0.1/",
    "http://0x7f.0.0.1/": "http://127.0.0.1/",
    "http://0x7F000001/": "http://127.0.0.1/",
    "http://2130706433/": "http://127.0.0.1/",
    "http://017700000001/": "http://127.0.0.1/",
    "http://127.1/": "http://127.0.0.1/",
    "http://127.0.1/": "http://127.0.0.1/",
    "http://127.0.0.1./": "http://127.0.0.1/",
    "http://0/": "http://0.0.0.0/",
    "http://0x/": "http://0.0.0.0/",
    "http://１２７.０.０.１/": "http://127.0.0.1/",
    "http://127。0。0。1/": "http://127.0.0.1/",
    "http://①②⑦.0.0.1/": "http://127.0.0.1/",
    "http://[0:0:0:0:0:0:0:1]/": "http://[::1]/",
    "http://[::FFFF:127.0.0.1]:8080/": "http://[::ffff:7f00:1]:8080/",
}
REFUSED = [
    "",
    "example.org",
    "//example.org/",
    "http:/example.org/",
    "http:example.org",
    "http://",
    "http:///etc/passwd",
    "http://?x",
    "ftp://example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://user@example.org/",
    "http://user:secret@example.org/",
    "http://example.org@127.0.0.1/",
    "http://@example.org/",
    "http://example.org\\@127.0.0.1/",
    "http:\\\\example.org/",
    "http://example.org;@127.0.0.1/",
    "http://example.org;/",
    " http://example.org/",
    "http://example.org/a b",
    "http://exam ple.org/",
    "http://example.org/a\nb",
    "http://example.org/\r\nHost: x",
    "http://example.org/\x00",
    "http://example.org/\u202egpj.exe",
    "http://example.org/\u200b",
    "http://example.org/\ud800",
    "http://example.org:0/",
    "http://example.org:65536/",
    "http://example.org:99999999/",
    "http://example.org:80:80/",
    "http://example.org:+80/",
    "http://example.org:８０/",
    "http://example..org/",
    "http://.example.org/",
    "http://./",
    "http://-example.org/",
    "http://example-.org/",
    "http://exa%6dple.org/",
    "http://exam*ple.org/",
    "http://i❤.example/",
    "http://xn--zzzzzz--.org/",
    "http://a\u200db.example/",
    f"http://{'a' * 64}.org/",
    f"http://{'a.' * 130}org/",
    f"http://{'ä' * 300}.org/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://1.2.3.256/",
    "http://4294967296/",
    "http://0xfffffffff/",
    "http://08.0.0.1/",
    "http://example.0x1/",
    "http://a.1/",
    "http://[::1/",
    "http://::1/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[127.0.0.1]/",
    "http://[v1.x]/",
    "http://example.org/" + "a" * 5000,
]


@pytest.mark.parametrize(("text", "canonical"), SPELLINGS.items())
def test_an_address_has_one_spelling(text: str, canonical: str) -> None:
    assert str(parse_url(text)) == canonical
    assert parse_url(canonical) == parse_url(text)


@pytest.mark.parametrize("text", REFUSED)
def test_anything_but_a_plain_address_is_refused(text: str) -> None:
    with pytest.raises(ForbiddenError) as refusal:
        parse_url(text)
    assert refusal.value.reason == "forbidden_url"


@pytest.mark.parametrize(
    "text",
    [
        "https://user:hunter2@example.org/",
        "https://hunter2@example.org/",
        "https://example.org:hunter2/",
        "https://hunter2\\.example.org/",
        "https://example.org/ hunter2",
        "hunter2",
        "ftp://user:hunter2@example.org/",
        "https://hunter2!.example.org/",
    ],
)
def test_a_refusal_does_not_repeat_what_may_be_a_password(text: str) -> None:
    with pytest.raises(ForbiddenError) as refusal:
        parse_url(text)
    assert "hunter2" not in str(refusal.value)


def test_what_messages_show_has_no_query_and_an_end() -> None:
    shown = parse_url("https://example.org/" + "a" * 3000 + "?token=hunter2").shown
    assert "hunter2" not in shown
    assert len(shown) <= 160


def test_a_homograph_is_shown_as_what_it_is() -> None:
    assert parse_url("https://аррӏе.com/").shown == "https://xn--80ak6aa92e.com/"


@pytest.mark.parametrize(
    ("reference", "joined"),
    {
        "b": "https://example.org/a/b",
        "/b": "https://example.org/b",
        "../../b": "https://example.org/b",
        "?q=1": "https://example.org/a/x?q=1",
        "//other.org/b": "https://other.org/b",
        "http://other.org": "http://other.org/",
    }.items(),
)
def test_a_reference_is_relative_to_its_page(reference: str, joined: str) -> None:
    assert str(join_url(parse_url("https://example.org/a/x?y=2"), reference)) == joined


@pytest.mark.parametrize(
    "reference",
    ["\\\\other.org/b", "/\\other.org", "javascript:x", "mailto:a@b.org", "http://[", "//u@h/"],
)
def test_a_reference_is_vetted_like_an_address(reference: str) -> None:
    with pytest.raises(ForbiddenError):
        join_url(parse_url("https://example.org/a/x"), reference)


@given(st.text(max_size=60), st.text("/.%2eE?#;@:[]\\a1é", max_size=40))
def test_any_text_is_refused_or_has_one_spelling(host: str, rest: str) -> None:
    for text in (host, f"http://{host}{rest}", f"https://example.org/{host}{rest}"):
        try:
            url = parse_url(text)
        except ForbiddenError:
            continue
        assert parse_url(str(url)) == url
        assert str(url).isascii()
        assert "/../" not in url.path + "/"


@pytest.mark.parametrize("port", [80, 443, 1024, 3000, 5000, 8000, 8080, 8443, 8888, 65535])
def test_ports_of_web_servers_are_fetched_from(port: int) -> None:
    check_port(parse_url(f"http://example.org:{port}/"))


@pytest.mark.parametrize(
    "port", [1, 21, 22, 25, 53, 110, 389, 445, 1023, 2375, 3306, 5432, 6379, 9200, 11211, 27017]
)
def test_ports_of_other_services_are_refused(port: int) -> None:
    url = parse_url(f"http://example.org:{port}/?token=hunter2")
    with pytest.raises(ForbiddenError, match=f"port {port} ") as refusal:
        check_port(url)
    assert refusal.value.reason == "forbidden_port"
    assert "hunter2" not in str(refusal.value)
    check_port(url, extra=[port])
