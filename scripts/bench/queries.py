"""Queries drawn from the corpus: the same ones for the same files, everywhere."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.bench import markdown
from scripts.bench.corpus import markdown_files
from scripts.bench.errors import BenchError

Kind = Literal["question", "keywords"]

COUNT = 200
SEED = 20260401
MAX_CHARS = 200
FEWEST = 10

_WORD = re.compile(r"[A-Za-z][\w.-]*\w")
_COMMON_WORDS = (
    "about after also because been being both cannot could does each from have into itself just "
    "like make more most must need only other over same should some such than that their them "
    "then there these they this those through under used using very want were what when where "
    "which while will with within without would your"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_ACTIONS = (
    "access add apply avoid build change check choose clear combine compare compute configure "
    "connect convert copy create debug define delete disable display enable export filter find "
    "format get handle import install invoke list load manage move open pass publish read register "
    "remove rename replace restart resume retrieve return run save search select send set show "
    "sort specify start stop subscribe suspend test uninstall update use verify view wait work "
    "write"
)
_VERBS = frozenset(_ACTIONS.split())
_BOILERPLATE = re.compile(
    r"see also|related links|(short|long) description|prior art|detailed design|"
    r"(guide|reference)-level explanation|rationale and alternatives|unresolved questions",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(r"(how|what|why|when|where|which|can|is|are|does|do)\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\s*\([^)]*\)")
_ABOUT_NAMES = ("what is {}?", "how does {} work?", "where is {} described?")
_ABOUT_FACTS = ("is it true that {}?", "where does it say that {}?", "why would it be that {}?")


@dataclass(frozen=True, slots=True)
class Query:
    """One query and what it looks like."""

    text: str
    kind: Kind


def _lower_first(text: str) -> str:
    first = text.split()[0].rstrip(",")
    is_plain = first.isalpha() and first[1:].islower()
    return text[0].lower() + text[1:] if is_plain else text


def _is_topic(heading: str) -> bool:
    is_phrase = 2 <= len(heading.split()) <= 9 and heading[0].isalpha()
    return is_phrase and not heading.isupper() and not _BOILERPLATE.match(heading)


def _ask_about(topic: str, rng: random.Random) -> str:
    if topic.startswith("how to "):
        return f"how do I {topic.removeprefix('how to ')}?"
    if _QUESTION_WORD.match(topic):
        return f"{topic}?"
    if topic.split()[0].lower() in _VERBS:
        return f"how do I {topic}?"
    return rng.choice(_ABOUT_NAMES).format(topic)


def _from_heading(text: str, rng: random.Random) -> Query | None:
    topics = [_BRACKETED.sub("", heading).strip() for heading in markdown.headings(text)]
    fit = [topic for topic in topics if _is_topic(topic)]
    if not fit:
        return None
    return Query(_ask_about(_lower_first(rng.choice(fit)).rstrip("?.:"), rng), "question")


def _from_sentence(text: str, rng: random.Random) -> Query | None:
    sentences = [one for one in markdown.sentences(text) if 6 <= len(one.split()) <= 14]
    fit = [one for one in sentences if one.count("(") == one.count(")")]
    if not fit:
        return None
    fact = _lower_first(rng.choice(fit)).rstrip(".")
    return Query(rng.choice(_ABOUT_FACTS).format(fact), "question")


def _content_words(passage: str) -> list[str]:
    words = dict.fromkeys(_WORD.findall(passage))
    return [word for word in words if len(word) > 3 and word.lower() not in _COMMON]


def _from_words(text: str, rng: random.Random) -> Query | None:
    fit = [words for p in markdown.paragraphs(text) if len(words := _content_words(p)) >= 6]
    if not fit:
        return None
    words = rng.choice(fit)
    places = sorted(rng.sample(range(len(words)), rng.randint(2, 4)))
    return Query(" ".join(words[place] for place in places), "keywords")


def _from_identifier(text: str, rng: random.Random) -> Query | None:
    names = markdown.identifiers(text)
    if not names:
        return None
    beside = _from_words(text, rng)
    words = beside.text.split()[:1] if beside else []
    return Query(" ".join([rng.choice(names), *words]), "keywords")


_Draw = Callable[[str, random.Random], Query | None]
_SHARES: tuple[tuple[_Draw, int], ...] = (
    (_from_heading, 2),
    (_from_words, 3),
    (_from_sentence, 2),
    (_from_identifier, 1),
)


def _quota(count: int) -> dict[_Draw, int]:
    """How many of each sort; half of all are questions."""
    total = sum(share for _, share in _SHARES)
    quota = {draw: count * share // total for draw, share in _SHARES}
    quota[_from_words] += count - sum(quota.values())
    return quota


def draw(root: Path, count: int = COUNT, seed: int = SEED) -> list[Query]:
    """Draw distinct queries, one a file, half of them natural questions.

    Args:
        root: the folder of Markdown files.
        count: how many to draw; a small corpus gives fewer.
        seed: the same seed and files give the same queries.

    Raises:
        BenchError: the corpus gives fewer than ten.
    """
    rng = random.Random(seed)  # noqa: S311 - a reproducible sample, not a secret
    files = markdown_files(root)
    rng.shuffle(files)
    left = _quota(count)
    drawn: dict[str, Query] = {}
    before = -1
    while any(left.values()) and len(drawn) > before:
        before = len(drawn)
        for path in files:
            _draw_one(path, rng, left, drawn)
    if len(drawn) < FEWEST:
        raise BenchError(f"the corpus gives only {len(drawn)} queries; it needs more prose")
    queries = list(drawn.values())
    rng.shuffle(queries)
    return queries


def _draw_one(
    path: Path, rng: random.Random, left: dict[_Draw, int], drawn: dict[str, Query]
) -> None:
    """Draw one query from the file, of the sort that most are missing of, if it has any."""
    missing = sorted((sort for sort in left if left[sort]), key=lambda sort: -left[sort])
    if not missing:
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    for sort in missing:
        query = sort(text, rng)
        if query and _is_fit(query.text) and query.text not in drawn:
            drawn[query.text] = query
            left[sort] -= 1
            return


def _is_fit(text: str) -> bool:
    return len(text) <= MAX_CHARS and text.isprintable() and "\ufffd" not in text


def digest(queries: Sequence[Query]) -> str:
    """The SHA-256 of the queries, by which two runs can be told to ask the same."""
    return hashlib.sha256("\n".join(query.text for query in queries).encode()).hexdigest()
