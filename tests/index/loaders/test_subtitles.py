from __future__ import annotations

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction, chunk_structured
from groundkit_index.loaders import Limits, load

SRT = """1
00:00:58,500 --> 00:01:01,000
<i>Nobody</i> knew {\\an8}what

2
00:01:02,000 --> 00:01:04,000
was going on.

3
00:01:30,000 --> 00:01:33,250
- Who is there?
- <font color="red">Me</font>.
"""


def read(text: str | bytes) -> Extraction:
    data = text.encode() if isinstance(text, str) else text
    return load("subtitles", data, Limits())[0]


def cues(*lines: str, step: float = 2.0) -> str:
    """Captions that follow each other without a gap."""
    parts = ["WEBVTT"]
    for number, text in enumerate(lines):
        start, end = number * step, (number + 1) * step
        parts.append(f"00:{start:06.3f} --> 00:{end:06.3f} align:start\n{text}")
    return "\n\n".join(parts)


def test_captions_are_joined_to_paragraphs_that_end_at_a_pause() -> None:
    assert read(SRT).text == "Nobody knew what was going on.\n\n- Who is there?\n- Me."


def test_a_span_is_placed_from_its_first_caption_to_the_end_of_its_last() -> None:
    found = read(SRT)
    (span,) = chunk_structured(found).spans
    place = found.place_of(span.start, span.end)
    assert (place.label, place.fragment) == ("00:00:58-00:01:33", "t=58")
    at = found.text.index("was going")
    place = found.place_of(at, at + 9)
    assert (place.label, place.fragment) == ("00:01:02-00:01:04", "t=62")
    assert [place.label for place in found.places] == ["00:00:58", "00:01:02", "00:01:30"]
    assert found.text[found.places[1].start :].startswith("was going")


def test_long_speech_is_split_behind_its_sentences() -> None:
    found = read(cues(*(f"This is sentence {n} of a long speech." for n in range(29))))
    paragraphs = found.text.split("\n\n")
    assert len(paragraphs) == 3
    assert all(paragraph.endswith("speech.") for paragraph in paragraphs)
    starts = {place.start for place in found.places}
    assert all(found.text.index(paragraph) in starts for paragraph in paragraphs)


def test_speakers_are_named() -> None:
    text = cues("<v.loud Mary Ann>Good <c.red>morning</c>.</v>", "<v Tom>Hi &amp; bye.")
    assert read(text).text == "Mary Ann: Good morning.\nTom: Hi & bye."


def test_captions_that_roll_over_the_screen_are_read_once() -> None:
    text = cues(
        "we will look at",
        "we will look at\nthe<00:00:02.500><c> first</c><00:00:03.000><c> part</c>",
        "the first part",
        "the first part\nof it and then",
        "of it and then at the others",
    )
    assert read(text).text == "we will look at the first part of it and then at the others"


def test_a_word_that_is_said_again_later_stays() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nNo.\n\n2\n00:00:03,000 --> 00:00:04,000\nNo.\n"
    assert read(text).text == "No. No."


def test_comments_styles_and_captions_without_a_duration_are_hidden() -> None:
    text = (
        "WEBVTT - A walk\nKind: captions\n\nNOTE\nmade by hand\n\nSTYLE\n::cue { color: red }\n\n"
        "intro\n00:01.000 --> 00:02.000\nHello\n\n00:03.000 --> 00:03.000\nnever shown\n"
    )
    found = read(text)
    assert (found.title, found.text) == ("A walk", "Hello")
    assert found.hidden == len("NOTEmade by handSTYLE::cue { color: red }never shown")


def test_a_blank_line_inside_a_caption_ends_it_only_in_webvtt() -> None:
    body = "00:00:01.000 --> 00:00:02.000\nfirst\n\nsecond\n"
    assert read(body).text == "first second"
    assert read(f"WEBVTT\n\n{body}").text == "first"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_newlines_and_encodings_change_nothing(newline: str, encoding: str) -> None:
    text = SRT.replace("Nobody", "日本語 é").replace("\n", newline)
    assert read(text.encode(encoding)).text.startswith("日本語 é knew what was")


def test_a_time_may_lack_hours_and_fractions() -> None:
    found = read("01:05 --> 01:10\nHi\n\n100:00:00,5 --> 100:00:01,5\nLate\n")
    assert [place.label for place in found.places] == ["00:01:05", "100:00:00"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "broken"),
        (b"WEBVTT", "broken"),
        (b"just text", "broken"),
        (b"\x00\x01\x02\x03", "broken"),
        (b"00:00:01,000 --> 00:00:02,000\n\n", "no_text"),
    ],
)
def test_what_holds_no_captions_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentRefusedError) as refused:
        read(data)
    assert refused.value.reason == reason
