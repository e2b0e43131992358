from __future__ import annotations

import codecs
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.model import DecodedText
from groundkit_core.text import decode, decode_as

BOMS = {
    "utf-8": b"",
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
NAMES = {
    "utf-16-le": "utf-16",
    "utf-16-be": "utf-16",
    "utf-32-le": "utf-32",
    "utf-32-be": "utf-32",
}
GERMAN = "Größe und Übermut, ähnlich wie früher auf der Straße."
WORDS = {
    "cp1252": "El niño comió una piña. ¿Qué más quieres? Mañana será otro día.",
    "cp1251": "Привет мир, это проверка кодировки текста в файле.",
    "koi8_r": "Привет мир, это проверка кодировки текста в файле.",
    "cp1253": "Αυτό είναι ένα κείμενο στα ελληνικά για δοκιμή.",
    "cp932": "これは日本語のテキストです。文字コードの検出を試します。",
    "euc_jp": "これは日本語のテキストです。文字コードの検出を試します。",
    "gb18030": "这是一个中文文本，用于测试编码检测功能。我们需要更多的字符。",
    "cp949": "이것은 한국어 텍스트입니다. 인코딩 감지를 시험합니다.",
}
NOISE = bytes(random.Random(7).choices(range(128, 256), k=400))
printable = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\ufeff")
    | st.sampled_from("\n\r\t"),
    max_size=60,
)


def encode(text: str, encoding: str) -> bytes:
    return BOMS[encoding] + text.encode(encoding.removesuffix("-sig"))


def refusal(data: bytes, *, detect: bool = True) -> str:
    with pytest.raises(DocumentRefusedError) as caught:
        decode(data, detect=detect)
    return caught.value.reason


@given(printable, st.sampled_from(sorted(BOMS)))
@settings(deadline=None)
def test_unicode_text_round_trips(text: str, encoding: str) -> None:
    data = encode(text, encoding)
    decoded = decode(data)
    assert decoded == DecodedText(text, NAMES.get(encoding, encoding))
    assert encode(decoded.text, encoding) == data
    assert decode_as(data, decoded.encoding) == text


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\u2028", "\n\r"])
def test_newlines_are_untouched(newline: str) -> None:
    assert decode(f"a{newline}b".encode()).text == f"a{newline}b"


def test_an_empty_document_is_utf_8() -> None:
    assert decode(b"") == DecodedText("", "utf-8")


def test_only_the_first_bom_is_dropped() -> None:
    assert decode(codecs.BOM_UTF8 + codecs.BOM_UTF8 + b"a").text == "\ufeffa"


@pytest.mark.parametrize(("encoding", "text"), WORDS.items())
def test_a_legacy_encoding_is_detected_and_reversible(encoding: str, text: str) -> None:
    data = text.encode(encoding)
    decoded = decode(data)
    assert decoded.text == text
    assert decoded.text.encode(decoded.encoding) == data


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
@pytest.mark.parametrize("text", [GERMAN, "café", "20°C for the naïve", "Räksmörgås på våren"])
def test_western_text_is_not_taken_for_another_code_page(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == DecodedText(text, "cp1252")


def test_detection_of_a_long_text_does_not_cut_a_character() -> None:
    text = "これは日本語のテキストです。\n" * 12_000
    assert decode(text.encode("cp932")).text == text


def test_without_detection_a_legacy_encoding_is_undecodable() -> None:
    assert refusal(GERMAN.encode("latin-1"), detect=False) == "undecodable"


@pytest.mark.parametrize(
    "data",
    [b"a\0b", b"\0", codecs.BOM_UTF8 + b"a\0", "a".encode("utf-16-le"), encode("a\0", "utf-16-be")],
)
def test_a_nul_is_refused(data: bytes) -> None:
    assert refusal(data) == "nul_byte"


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n%text only",
        b"\x89PNG\r\n\x1a\n\0\0\0",
        b"PK\x03\x04rest",
        b"\x7fELF\x02\x01",
        b"\x00\x00\x00\x01Bud1\x00",
        b"GIF89a\xff\xfe\x90",
        b"\x01\x02\x03\x04 mostly",
        bytes(range(1, 256)),
    ],
)
def test_binary_data_is_refused(data: bytes) -> None:
    assert refusal(data) == "binary"


def test_text_that_names_a_binary_format_is_text() -> None:
    assert decode(b"GIF89a is a format").text == "GIF89a is a format"


@pytest.mark.parametrize(
    "data",
    [
        b"a \xed\xa0\x80 b",
        codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0",
        codecs.BOM_UTF32_BE + b"\0\0\xd8\0",
    ],
)
def test_a_lone_surrogate_is_refused(data: bytes) -> None:
    assert refusal(data) == "lone_surrogate"


@pytest.mark.parametrize(
    "data",
    [codecs.BOM_UTF16_LE + b"a\0b", codecs.BOM_UTF32_LE + b"a\0\0\0b", NOISE],
)
def test_bytes_that_no_encoding_fits_are_undecodable(data: bytes) -> None:
    assert refusal(data) == "undecodable"


@given(st.binary(max_size=200))
@settings(deadline=None, max_examples=60)
def test_any_bytes_are_decoded_without_nul_and_surrogates_or_refused(data: bytes) -> None:
    try:
        text = decode(data).text
    except DocumentRefusedError as error:
        reason = error.reason
    else:
        reason = ""
        assert "\0" not in text.encode().decode()
    assert reason in {"", "binary", "nul_byte", "lone_surrogate", "undecodable"}


def test_a_refusal_tells_where_and_not_what() -> None:
    with pytest.raises(DocumentRefusedError, match="nul_byte: at offset 6") as caught:
        decode(b"secret\0")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("later", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("recorded", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_changed_bytes_that_announce_their_encoding_are_taken_at_their_word(
    recorded: str, later: str
) -> None:
    assert decode_as(encode(GERMAN, later), recorded) == GERMAN


def test_changed_bytes_keep_a_recorded_legacy_encoding() -> None:
    assert decode_as("Ελλάδα ή".encode("cp1253"), "cp1253") == "Ελλάδα ή"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "no-such-codec", "hex"])
def test_changed_bytes_that_do_not_fit_are_refused(encoding: str) -> None:
    with pytest.raises(DocumentRefusedError) as caught:
        decode_as(b"caf\xe9", encoding)
    assert caught.value.reason == "undecodable"
