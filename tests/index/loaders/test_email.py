from __future__ import annotations

import base64
from email.message import EmailMessage, MIMEPart

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, chunk_structured
from groundkit_index.loaders import Limits, load

HEAD = b"From: a@x.org\nTo: b@x.org\nSubject: Hi\n"


def read(message: EmailMessage | bytes) -> Extraction:
    data = message if isinstance(message, bytes) else message.as_bytes()
    return load("email", data, Limits())[0]


def written(body: str = "Hello Ann.", subject: str = "The plan") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Zoë Q. <zoe@x.org>"
    message["To"] = "ann@x.org, bob@x.org"
    message["Subject"] = subject
    message["Date"] = "Tue, 01 Dec 2026 10:00:00 +0000"
    message["X-Spam"] = "no"
    message.set_content(body)
    return message


def test_the_subject_is_the_title_and_heading_above_headers_and_text() -> None:
    found = read(written(subject="Größe der Straße 日本"))
    assert found.title == "Größe der Straße 日本"
    assert found.text == (
        "# Größe der Straße 日本\n\nFrom: Zoë Q. <zoe@x.org>\nTo: ann@x.org, bob@x.org\n"
        "Date: Tue, 01 Dec 2026 10:00:00 +0000\n\nHello Ann."
    )
    (span,) = chunk_structured(found).spans
    assert span.heading_path == ("Größe der Straße 日本",)


def test_plain_text_is_preferred_to_html() -> None:
    message = written("the plain one")
    message.add_alternative("<p>the other one</p>", subtype="html")
    assert "the plain one" in read(message).text
    assert "other" not in read(message).text


@pytest.mark.parametrize("plain", [None, " \n"])
def test_html_is_read_where_there_is_no_plain_text(plain: str | None) -> None:
    message = written(plain or "")
    message.add_alternative(
        "<style>p{}</style><h1>News</h1><p>One <b>two</b></p><ul><li>three</ul>", subtype="html"
    )
    found = read(message)
    assert found.text.endswith("## News\n\nOne two\n\n- three")


def test_attachments_are_named_and_counted_but_not_read() -> None:
    message = written()
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="größe.pdf")
    message.add_attachment("secret text", filename="notes.txt")
    message.add_attachment(b"x", maintype="application", subtype="octet-stream")
    found = read(message)
    assert found.text.endswith(
        "Attachments:\n\n- größe.pdf\n- notes.txt\n- (application/octet-stream)"
    )
    assert "secret" not in found.text
    assert found.notes == ("3 attachments were left out",)


def test_a_forwarded_message_is_read_under_its_own_subject() -> None:
    inner, outer = written("Inside.", "Inner"), written("See below.", "Outer")
    outer.add_attachment(inner)
    found = read(outer)
    spans = chunk_structured(found).spans
    assert [span.heading_path for span in spans] == [("Outer",), ("Outer", "Inner")]
    assert found.text.endswith("Inside.")
    place = found.place_of(spans[1].start, spans[1].end)
    assert place.label == "forwarded message 1"


def test_messages_are_followed_to_a_depth_only() -> None:
    found = read(b"Subject: again\nContent-Type: message/rfc822\n\n" * 100 + b"\ndeepest")
    assert "deepest" not in found.text
    assert found.notes == ("messages forwarded more than 8 deep were left out",)


@pytest.mark.parametrize("coding", ["base64", "quoted-printable", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-15", "windows-1252"])
def test_transfer_codings_and_charsets_are_decoded(coding: str, charset: str) -> None:
    message = EmailMessage()
    message.set_content("Größe = 5 €", charset=charset, cte=coding)
    assert read(message).text == "Größe = 5 €"


@pytest.mark.parametrize("charset", [b"", b"; charset=x-made-up", b"; charset=us-ascii",
                                     b"; charset=punycode", b"; charset=shift_jis"])  # fmt: skip
def test_a_wrong_or_unknown_charset_costs_no_message(charset: bytes) -> None:
    body = "Grüße aus Köln".encode()
    assert "Gr" in read(HEAD + b"Content-Type: text/plain" + charset + b"\n\n" + body).text


@pytest.mark.parametrize("subject", ["=?x-none?q?a?=", "=?utf-8?b?!!!?=", "=?utf-8?q?a=FFb?="])
def test_a_header_that_cannot_be_decoded_costs_no_message(subject: str) -> None:
    assert read(f"Subject: {subject}\n\nbody".encode()).text.endswith("body")


def test_a_header_of_raw_bytes_is_read_as_utf_8() -> None:
    assert read("Subject: Grüße\n\nbody".encode()).title == "Grüße"


def test_flowed_text_is_unwrapped_and_quotes_stay_apart() -> None:
    body = b"One long \nline.\n>> asked \n>> twice\n> said\nno\n-- \nAnn"
    found = read(HEAD + b"Content-Type: text/plain; format=flowed\n\n" + body)
    assert found.text.endswith("One long line.\n\n>> asked twice\n\n> said\n\nno\n--\nAnn")


def test_what_is_laid_out_with_blanks_keeps_them() -> None:
    table = "name      price\nnut       3"
    assert read(written(f"See:\n\n{table}\n\nEnd  of  it.")).text.endswith(
        f"See:\n\n{table}\n\nEnd of it."
    )


def test_a_signature_is_left_out_and_the_signed_text_is_read() -> None:
    body = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nSigned words.\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\n-----END PGP SIGNATURE-----\n"
    )
    assert read(HEAD + b"\n" + body.encode()).text.endswith("\n\nSigned words.")


def encrypted_part() -> bytes:
    return HEAD + (
        b"Content-Type: multipart/encrypted; protocol=x; boundary=b\n\n--b\n"
        b"Content-Type: application/pgp-encrypted\n\nVersion: 1\n--b\n"
        b"Content-Type: application/octet-stream\n\nabc\n--b--\n"
    )


@pytest.mark.parametrize(
    "data",
    [
        encrypted_part(),
        HEAD + b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIIB",
        HEAD + b"\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
    ],
)
def test_an_encrypted_message_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentRefusedError) as refused:
        read(data)
    assert refused.value.reason == "encrypted"


def test_a_delivery_report_is_read() -> None:
    data = HEAD + (
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        b"--b\n\nIt bounced.\n--b\nContent-Type: message/delivery-status\n\n"
        b"Reporting-MTA: dns; x.org\n\nFinal-Recipient: rfc822; b@x.org\nStatus: 5.1.1\n--b--\n"
    )
    assert read(data).text.endswith(
        "It bounced.\n\nReporting-MTA: dns; x.org\n\n"
        "Final-Recipient: rfc822; b@x.org\nStatus: 5.1.1"
    )


def nested(depth: int) -> bytes:
    data = b"\ninnermost"
    for level in range(depth):
        boundary = f"b{level}".encode()
        data = (
            b"Content-Type: multipart/mixed; boundary=" + boundary
            + b"\n\n--" + boundary + b"\n" + data + b"\n--" + boundary + b"--\n"
        )  # fmt: skip
    return data


def test_parts_may_nest_but_not_without_end() -> None:
    assert read(nested(20)).text == "innermost"
    with pytest.raises(DocumentRefusedError) as refused:
        read(nested(2_000))
    assert refused.value.reason == "over_limit"


def test_too_many_parts_are_refused() -> None:
    data = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 30
    with pytest.raises(DocumentRefusedError) as refused:
        load("email", data, Limits(members=20))
    assert refused.value.reason == "over_limit"


def test_a_message_that_breaks_off_is_read_as_far_as_it_goes() -> None:
    message = written("All of it.")
    message.add_attachment(b"12345" * 99, maintype="image", subtype="png", filename="a.png")
    data = message.as_bytes()
    assert "All of it." in read(data[: data.index(b"a.png")]).text
    for end in range(0, len(data), 40):
        load("email", b"Subject: s\n" + data[:end], Limits())


def test_broken_base64_gives_what_can_be_read() -> None:
    body = base64.b64encode(b"Hello there.").rstrip(b"=") + b"!!\n*"
    data = HEAD + b"Content-Transfer-Encoding: base64\n\n" + body
    assert read(data).text.endswith("Hello there.")


def test_text_inside_a_related_part_is_read_once() -> None:
    message = written("plain")
    message.add_alternative("<p>rich <img src='cid:i'></p>", subtype="html")
    related = list(message.iter_parts())[1]
    assert isinstance(related, MIMEPart)
    related.add_related(b"png", "image", "png", cid="i")
    assert read(message).text.endswith("\n\nplain")
