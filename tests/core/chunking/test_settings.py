from __future__ import annotations

import pytest

from groundkit_core.chunking import chunk
from groundkit_core.errors import SettingsError
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkSettings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (ChunkSettings(target=0), "chunk target must be at least 1, not 0"),
        (ChunkSettings(target=-5), "chunk target must be at least 1, not -5"),
        (
            ChunkSettings(target=100, cap=99),
            r"chunk cap \(99\) must be at least the target \(100\)",
        ),
        (ChunkSettings(cap=-1), r"chunk cap \(-1\) must be at least the target \(1000\)"),
        (ChunkSettings(overlap=1000), r"less than the target \(1000\), not 1000"),
        (ChunkSettings(overlap=-1), r"chunk overlap must be from 0 .*, not -1"),
    ],
)
def test_sizes_that_contradict_each_other_are_refused(
    settings: ChunkSettings, message: str
) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        chunk("text", Kind("text"), settings)
    assert "\n" not in str(caught.value)


def test_the_smallest_sizes_work() -> None:
    spans = chunk("ab c", Kind("text"), ChunkSettings(1, 1)).spans
    assert [(span.start, span.end) for span in spans] == [(0, 1), (1, 2), (3, 4)]


def test_overlap_takes_whole_words_of_the_chunk_before() -> None:
    text = "one two three four five six"
    chosen = ChunkSettings(target=14, cap=20, overlap=6)
    contents = [text[span.start : span.end] for span in chunk(text, Kind("text"), chosen).spans]
    assert contents == ["one two three", "three four five six"]
