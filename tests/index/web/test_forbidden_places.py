"""No spelling, name or redirect leads to an address that is not public."""

from __future__ import annotations

import inspect
import re
import socket
from pathlib import Path

import pytest
from tests.index.web.sites import Opener, Site

import groundkit_index
from groundkit_index.web import Fetcher, FetchLimits
from groundkit_index.web.errors import FetchError, ForbiddenError, UnreachableError

LITERALS = [
    "127.0.0.1",
    "127.1",
    "0177.0.0.1",
    "0x7f.1",
    "2130706433",
    "127.0.0.1.",
    "１２７.０.０.１",
    "0.0.0.0",
    "0",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "172.16.0.1",
    "192.168.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
    "[fe80::1]",
    "[fc00::1]",
    "[fec0::1]",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "ｌｏｃａｌｈｏｓｔ",
]


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where connections were about to go to; none of them is opened."""
    hosts: list[str] = []

    def dial(address: tuple[str, int], *_: object, **__: object) -> socket.socket:
        hosts.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", dial)
    return hosts


@pytest.mark.parametrize("host", LITERALS)
def test_an_address_that_is_not_public_is_refused_unasked(host: str, dialled: list[str]) -> None:
    def resolver(name: str) -> list[str]:
        raise AssertionError(f"{name} was resolved")

    with Fetcher(resolver=resolver) as fetcher:
        for scheme in ("http", "https"):
            with pytest.raises(ForbiddenError) as refusal:
                fetcher.get(f"{scheme}://{host}/")
            assert refusal.value.reason == "forbidden_address"
    assert dialled == []


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.1.2.3"],
        ["169.254.169.254"],
        ["::1"],
        ["::ffff:10.0.0.1"],
        ["64:ff9b::a00:1"],
        ["fe80::1%eth0"],
        ["8.8.8.8", "10.0.0.1"],
        ["8.8.8.8", "::1"],
    ],
)
def test_a_name_with_any_such_address_is_refused(addresses: list[str], dialled: list[str]) -> None:
    with (
        Fetcher(resolver=lambda _: addresses) as fetcher,
        pytest.raises(ForbiddenError) as refusal,
    ):
        fetcher.get("http://inside.example/?token=hunter2")
    assert refusal.value.reason == "forbidden_address"
    assert "hunter2" not in str(refusal.value)
    assert dialled == []


@pytest.mark.parametrize("addresses", [[], ["nonsense"], [""]])
def test_a_name_without_addresses_is_unknown(addresses: list[str], dialled: list[str]) -> None:
    with Fetcher(resolver=lambda _: addresses) as fetcher, pytest.raises(UnreachableError):
        fetcher.get("http://empty.example/")
    assert dialled == []


def test_the_vetted_addresses_are_tried_in_order(dialled: list[str]) -> None:
    addresses = ["2606:4700::1", "1.1.1.1"]
    with Fetcher(resolver=lambda _: addresses) as fetcher, pytest.raises(UnreachableError):
        fetcher.get("https://two.example/")
    assert dialled == addresses


def test_a_name_that_changes_its_mind_is_asked_once(dialled: list[str]) -> None:
    answers = [["1.1.1.1"], ["127.0.0.1"]]
    with Fetcher(resolver=lambda _: answers.pop(0)) as fetcher, pytest.raises(UnreachableError):
        fetcher.get("http://rebinding.example/")
    assert dialled == ["1.1.1.1"]
    assert answers == [["127.0.0.1"]]


def test_a_name_that_has_changed_its_mind_is_refused_at_the_next_connection(
    site: Site, opener: Opener
) -> None:
    site.put("/", "one", headers={"Connection": "close"})
    answers = [["127.0.0.1"], ["10.0.0.1"]]
    fetcher = opener(resolver=lambda _: answers.pop(0))
    assert fetcher.get(site.url()).body == b"one"
    with pytest.raises(ForbiddenError):
        fetcher.get(site.url())


def test_the_system_is_not_asked_for_a_vetted_name_again(
    site: Site, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    original = socket.getaddrinfo

    def listening(host: object, *rest: object, **named: object) -> object:
        asked.append(host)
        return original(host, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", listening)
    site.put("/", "one")
    assert fetcher.get(site.url()).body == b"one"
    assert set(asked) <= {"127.0.0.1"}


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("http://10.0.0.1/", "forbidden_address"),
        ("http://169.254.169.254/latest/meta-data/", "forbidden_address"),
        ("http://[::1]/", "forbidden_address"),
        ("http://0x0a000001/", "forbidden_address"),
        ("http://private.test/", "forbidden_address"),
        ("http://metadata.test/", "forbidden_address"),
        ("http://mixed.test/", "forbidden_address"),
        ("//private.test/", "forbidden_address"),
        ("http://site.test:6379/", "forbidden_port"),
        ("http://site.test:22/", "forbidden_port"),
        ("file:///etc/passwd", "forbidden_url"),
        ("gopher://site.test:70/_x", "forbidden_url"),
        ("ftp://site.test/", "forbidden_url"),
        ("data:text/html,x", "forbidden_url"),
        ("javascript:alert(1)", "forbidden_url"),
        ("http://user:hunter2@site.test/", "forbidden_url"),
        ("http://hunter2@site.test/", "forbidden_url"),
        ("\\\\private.test\\", "forbidden_url"),
        ("http://site.test\\@private.test/", "forbidden_url"),
    ],
)
def test_a_redirect_is_vetted_like_an_address(
    site: Site, fetcher: Fetcher, place: str, reason: str
) -> None:
    site.redirect("/a", place)
    with pytest.raises(ForbiddenError) as refusal:
        fetcher.get(site.url("/a"))
    assert refusal.value.reason == reason
    assert "hunter2" not in str(refusal.value)
    assert site.paths == ["/a"]


@pytest.mark.parametrize("steps", [["/a"], ["/b", "/a"], ["/a#part"]])
def test_a_redirect_in_a_circle_is_a_loop(site: Site, fetcher: Fetcher, steps: list[str]) -> None:
    for here, there in zip(["/a", *steps], steps, strict=False):
        site.redirect(here, there)
    with pytest.raises(ForbiddenError) as refusal:
        fetcher.get(site.url("/a"))
    assert refusal.value.reason == "redirect_loop"


def test_the_operator_may_allow_a_port_and_nothing_else(dialled: list[str]) -> None:
    limits = FetchLimits(ports=frozenset({6379}))
    with Fetcher(limits, resolver=lambda _: ["1.1.1.1"]) as fetcher:
        with pytest.raises(UnreachableError):
            fetcher.get("http://cache.example:6379/")
        with pytest.raises(ForbiddenError):
            fetcher.get("http://127.0.0.1:6379/")
    assert dialled == ["1.1.1.1"]


def test_a_fetcher_as_the_product_makes_it_does_not_talk_to_this_machine(site: Site) -> None:
    with Fetcher() as fetcher, pytest.raises(FetchError):
        fetcher.get(f"http://127.0.0.1:{site.port}/")
    assert site.requests == []


def test_nothing_in_the_product_passes_the_allowance_of_tests() -> None:
    packages = Path(inspect.getfile(groundkit_index)).parents[3]
    sources = {path: path.read_text("utf-8") for path in packages.glob("*/src/**/*.py")}
    assert any("_allow: AddressPolicy" in text for text in sources.values())
    assert [path for path, text in sources.items() if re.search(r"\b_allow\s*=", text)] == []


def test_the_allowance_is_no_setting() -> None:
    parameter = inspect.signature(Fetcher).parameters["_allow"]
    assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
    assert "_allow" not in inspect.signature(FetchLimits).parameters
