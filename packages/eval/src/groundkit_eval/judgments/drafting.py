"""Proposes judgments from the headings and definitions of a collection, for a person to accept."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from groundkit_core.errors import DocumentRefusedError
from groundkit_eval.judgments.leaks import LeakCheck, gives_away
from groundkit_eval.judgments.model import Gold, JudgedQuery, Judgment

if TYPE_CHECKING:
    from groundkit_eval.judgments.anchoring import Texts
    from groundkit_index.catalog.records import ChunkRecord

MAX_QUOTE_CHARS = 300
LEAST_WORDS = 4
_CLASSES = ("docs", "decisions")
_BLOCK = re.compile(r"\S(?:[^\n]|\n(?![ \t]*(?:\n|[-*+#>|<]|```|\d+[.)])))*")
_SENTENCE = re.compile(r"\S.*?(?:[.!?。！？](?=\s|$)|$)", re.DOTALL)
_MARKUP = re.compile(r"^(?:[#>|]|[-*+] |\d+[.)] |```|~~~|<|!\[)")
_IS = re.compile(
    r"^(?:(?:An?|The)\s+)?(?P<term>[`*_]{0,2}[\w`*][\w`*./-]*(?:[ -][\w`*./-]+){0,3})\s+"
    r"(?:is|are|means|refers to)\s+(?:an?|the|any|every|how|what|when|where)\b"
)
_MARKED = re.compile(
    r"^(?:[-*+] )?(?:\*\*|`)(?P<term>[^*`\n]{2,40})(?:\*\*|`)\s*(?::|–|—| - )\s*\S"
)
_NO_TERM = frozenset(
    ("it", "this", "that", "there", "these", "those", "he", "she", "they", "we", "you", "which")
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A query that a passage seems to answer."""

    query: str
    category: str
    source: str
    quote: str
    start: int

    def line(self) -> str:
        """Return the line of a judgments file, not accepted yet."""
        seed = f"{self.source}\0{self.query}".encode()
        gold = [{"source": self.source, "quote": self.quote}]
        row = {
            "id": f"draft-{hashlib.sha256(seed).hexdigest()[:12]}",
            "query": self.query,
            "category": self.category,
            "gold": gold,
            "accepted": False,
        }
        return json.dumps(row, ensure_ascii=False)


def draft(index_dir: Path, collection: str, limit: int) -> list[Candidate]:
    """Propose judgments for a collection; equal collections give equal proposals.

    A heading asks for the first sentence below it, a definition is asked for by its term. Left
    out are quotes that do not stand once in their source, queries that several passages would
    answer, and such as stand in another document word for word.

    Args:
        index_dir: the folder that holds the collections.
        collection: the collection's name.
        limit: how many to propose at the most, spread over the documents.

    Raises:
        CollectionNotFoundError: there is no such collection.
    """
    from groundkit_eval.targets.collection import CollectionTexts
    from groundkit_index import IndexReader

    with IndexReader.open(index_dir, collection) as reader:
        chunks = [chunk for chunk in reader.chunks() if chunk.source_class in _CLASSES]
        found = _alone(candidate for chunk in chunks for candidate in candidates(chunk))
        anchored = list(_anchored(found, CollectionTexts(reader)))
    unleaked = _unleaked(anchored, chunks)
    return sorted(_spread(unleaked, limit), key=lambda found: (found.source, found.start))


def candidates(chunk: ChunkRecord) -> Iterator[Candidate]:
    """Yield what the headings and definitions of a chunk give."""
    sentences = list(_sentences(chunk.content))
    told = [sentence for sentence in sentences if _tells(sentence[1])]
    if chunk.heading_path and told:
        at, text = told[0]
        yield _candidate(chunk, _asked(chunk.heading_path), "heading", at, text)
    for at, text in sentences:
        found = _IS.match(text) or _MARKED.match(text)
        if found and len(text.split()) > LEAST_WORDS:
            term = found["term"].strip("`*_ ")
            named = found.start("term") > 0 or not term[:1].islower()
            if named and term.split()[0].lower() not in _NO_TERM:
                yield _candidate(chunk, f"what is {term}", "definition", at, text)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of each paragraph and list item, and where they begin."""
    for block in _BLOCK.finditer(text):
        for found in _SENTENCE.finditer(block.group()):
            yield block.start() + found.start(), found.group().rstrip()


def _tells(sentence: str) -> bool:
    """Tell whether a sentence says something by itself, and is no markup."""
    long = len(sentence.split()) >= LEAST_WORDS or not sentence.isascii()
    return long and not _MARKUP.match(sentence) and not sentence.endswith((":", "："))


def _candidate(chunk: ChunkRecord, query: str, category: str, at: int, text: str) -> Candidate:
    quote = text[:MAX_QUOTE_CHARS].rstrip()
    return Candidate(query, category, chunk.source, quote, chunk.start + at)


def _asked(heading_path: Sequence[str]) -> str:
    """Return a heading as a query; a short one says too little without the one above it."""
    *above, last = (" ".join(heading.split()) for heading in heading_path)
    short = len(last.split()) < LEAST_WORDS - 1
    return f"{above[-1]} {last}" if above and short else last


def _alone(found: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates whose query is valid and asked of one passage only."""
    valid = list(dict.fromkeys(candidate for candidate in found if _is_valid(candidate)))
    by_passage = {(_key(found), found.source, found.quote): found for found in reversed(valid)}
    asked = Counter(key for key, _, _ in by_passage)
    return [found for (key, _, _), found in reversed(by_passage.items()) if asked[key] == 1]


def _key(candidate: Candidate) -> str:
    return " ".join(candidate.query.casefold().split())


def _is_valid(candidate: Candidate) -> bool:
    try:
        Judgment.model_validate_json(candidate.line())
    except ValidationError:
        return False
    return not gives_away(candidate.query, candidate.quote)


def _anchored(found: Iterable[Candidate], texts: Texts) -> Iterator[Candidate]:
    read: dict[str, str] = {}
    for candidate in found:
        if candidate.source not in read:
            try:
                read[candidate.source] = texts.read(candidate.source)
            except DocumentRefusedError:
                read[candidate.source] = ""
        text = read[candidate.source]
        start = text.find(candidate.quote)
        if start >= 0 and text.find(candidate.quote, start + 1) < 0:
            yield candidate


def _unleaked(found: list[Candidate], chunks: Sequence[ChunkRecord]) -> list[Candidate]:
    queries = [
        JudgedQuery(str(number), one.query, one.category, "all", (Gold(one.source),), number)
        for number, one in enumerate(found)
    ]
    check = LeakCheck(queries, "")
    texts: dict[str, list[str]] = defaultdict(list)
    for chunk in chunks:
        texts[chunk.source].append(chunk.content)
    leaked = {
        query.line
        for source, parts in texts.items()
        for query in check.held_by(source, "".join(parts))
    }
    return [candidate for number, candidate in enumerate(found) if number not in leaked]


def _spread(found: Iterable[Candidate], limit: int) -> list[Candidate]:
    """Return the first candidate of each document, then the second of each, up to the limit."""
    by_source: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in found:
        by_source[candidate.source].append(candidate)
    turns = zip_longest(*(by_source[source] for source in sorted(by_source)))
    return [candidate for turn in turns for candidate in turn if candidate][:limit]
