"""Corpora of any size from the pieces of real documents."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from scripts.bench.errors import BenchError, CorpusAbsentError
from scripts.scale.corpora import PROJECTS, SPARE, project_of, write_corpus
from scripts.scale.dialect import Dialect, rare_words
from scripts.scale.pieces import MOST_CHARS, pieces, title
from scripts.scale.seeds import ENOUGH_BYTES, Seed, locate, read_seeds, text_files
from scripts.scale.splice import documents

_PAGE = """---
author: nobody
---
# Relays

A relay keeps its schedule in a table.

## Reset

```sh
# not a heading

relay reset --all
```

Then wait.
"""


def _seed(number: int) -> Seed:
    said = tuple(f"Paragraph {letter}{number} mentions flaghoist." for letter in "abcdef")
    return Seed(f"Page {number}", (*said, f"Only here stands zephyr{'x' * number}q."))


SEEDS = [_seed(number) for number in range(12)]


def test_a_heading_stays_with_the_block_below_it() -> None:
    assert pieces(_PAGE) == [
        "# Relays\n\nA relay keeps its schedule in a table.",
        "## Reset\n\n```sh\n# not a heading\n\nrelay reset --all\n```",
        "Then wait.",
    ]
    assert title(_PAGE) == "Relays"


def test_long_prose_is_cut_between_sentences_and_loses_nothing() -> None:
    text = " ".join(f"Sentence number {n} of a long block says little." for n in range(60))
    cut = pieces(text)
    assert len(cut) > 4
    assert all(len(piece) <= MOST_CHARS for piece in cut)
    assert all(piece.rstrip().endswith(".") for piece in cut)
    assert " ".join(cut).split() == text.split()


def test_both_parts_of_a_cut_code_block_are_fenced() -> None:
    lines = [f"call_number_{n}(argument, another)" for n in range(40)]
    cut = pieces("\n".join(["~~~python", *lines, "~~~"]))
    assert len(cut) > 1
    for piece in cut:
        assert piece.startswith("~~~python\n")
        assert piece.endswith("\n~~~")
    inside = [line for piece in cut for line in piece.splitlines()[1:-1]]
    assert inside == lines


def test_an_unclosed_fence_keeps_its_lines() -> None:
    assert pieces("```\nleft open\n") == ["```\nleft open\n```"]


def test_a_piece_that_two_documents_hold_is_used_once(tmp_path: Path) -> None:
    shared = "This notice stands in every document of the collection.\n\n"
    for name in ("one", "two"):
        text = f"# {name}\n\nOf its own it says {name}. {'More follows. ' * 40}\n\n{shared}"
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    found = [piece for seed in read_seeds(text_files(tmp_path)) for piece in seed.pieces]
    assert sum("every document" in piece for piece in found) == 1
    assert sum("Of its own" in piece for piece in found) == 2


def test_a_folder_without_text_gives_no_seeds(tmp_path: Path) -> None:
    (tmp_path / "image.png").write_bytes(b"\x89PNG" * 500)
    with pytest.raises(BenchError, match="no text"):
        read_seeds(text_files(tmp_path))


def test_debian_documentation_is_used_where_there_is_enough(tmp_path: Path) -> None:
    debian, checkout = tmp_path / "doc", tmp_path / "none"
    debian.mkdir()
    (debian / "small.txt").write_bytes(b"word " * 1000)
    with pytest.raises((BenchError, CorpusAbsentError)):
        locate(checkout, debian)
    for number in range(ENOUGH_BYTES // 1_000_000 + 1):
        (debian / f"{number}.txt").write_bytes(b"a line of text.\n" * 62_500)
    assert locate(None, debian) == debian


def test_every_piece_is_used_once_before_any_is_used_again() -> None:
    first_turn = list(islice(documents(SEEDS), len(SEEDS)))
    text = "\n".join(document.text for document in first_turn)
    for seed in SEEDS:
        for piece in seed.pieces:
            assert text.count(piece) == 1


def test_documents_keep_their_lengths_and_get_other_pieces() -> None:
    first_turn = list(islice(documents(SEEDS), len(SEEDS)))
    blocks = [document.text.strip().split("\n\n") for document in first_turn]
    assert {len(parts) for parts in blocks} == {1 + len(SEEDS[0].pieces)}
    mixed = [
        len(set(re.findall(r"Paragraph [a-f](\d+) ", document.text))) for document in first_turn
    ]
    assert max(mixed) > 1


def test_the_same_seed_gives_the_same_documents() -> None:
    again = list(islice(documents(SEEDS), 40))
    assert again == list(islice(documents(SEEDS), 40))
    assert again != list(islice(documents(SEEDS, seed=7), 40))
    assert len({document.name for document in again}) == 40


def test_text_that_is_used_again_has_other_rare_words() -> None:
    turns = list(islice(documents(SEEDS), 2 * len(SEEDS)))
    first, second = turns[: len(SEEDS)], turns[len(SEEDS) :]
    count = Counter(" ".join(d.text for d in second).split())
    assert count["flaghoist."] == len(SEEDS) * 6
    assert not any("zephyr" in document.text for document in second)
    assert sum("zephyr" in document.text for document in first) >= len(SEEDS) // 2


def test_respelling_keeps_length_case_and_common_words() -> None:
    rare = rare_words([Seed("", ("Zephyrus and common",)), Seed("", ("common",))])
    assert rare == {"zephyrus"}
    spelled = Dialect(rare, "1").respell("Zephyrus ZEPHYRUS common")
    first, second, third = spelled.split()
    assert (len(first), first.istitle(), second) == (8, True, first.upper())
    assert first != "Zephyrus"
    assert third == "common"


def test_projects_hold_half_and_a_hundredth_of_the_documents() -> None:
    shares = Counter(project_of(number) for number in range(10_000))
    assert shares == {"half": 5_000, "hundredth": 100, "rest": 4_900}
    assert set(shares) == set(PROJECTS)


def test_a_larger_corpus_begins_with_the_smaller_one(tmp_path: Path) -> None:
    small = write_corpus(documents(SEEDS), tmp_path / "small", 20, 3)
    large = write_corpus(documents(SEEDS), tmp_path / "large", 60, 3)
    assert small.documents < large.documents
    files = [p for p in (tmp_path / "small").rglob("*.md") if p.parent.name != SPARE]
    assert len(files) == small.documents
    assert sum(path.stat().st_size for path in files) == small.bytes
    for path in files:
        twin = tmp_path / "large" / path.relative_to(tmp_path / "small")
        assert twin.read_bytes() == path.read_bytes()


def test_spare_documents_are_no_part_of_the_corpus(tmp_path: Path) -> None:
    written = write_corpus(documents(SEEDS), tmp_path, 20, 5)
    spare = {path.name for path in (tmp_path / SPARE).iterdir()}
    assert len(spare) == written.spare == 5
    assert not spare & {p.name for project in PROJECTS for p in (tmp_path / project).rglob("*.md")}
