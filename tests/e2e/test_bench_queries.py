"""Drawing the benchmark's queries from a corpus."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from scripts.bench import queries
from scripts.bench.errors import BenchError

_PAGE = """---
title: Page {n}
---
# How to configure relay {n}

## Cooling schedule for relay {n}

Relay {n} keeps its cooling schedule in a small table. The table for relay {n} lists every
`relay_table_{n}` entry together with its opening temperature and its closing temperature.

```python
never_asked_about = "fenced"
```
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    for n in range(60):
        page = root / f"part{n % 3}" / f"page{n}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_PAGE.format(n=n), encoding="utf-8")
    hidden = root / ".hidden" / "page.md"
    hidden.parent.mkdir()
    hidden.write_text("# How to find hidden treasure\n", encoding="utf-8")
    return root


def test_half_of_the_queries_are_natural_questions(corpus: Path) -> None:
    drawn = queries.draw(corpus, 40)
    questions = [query.text for query in drawn if query.kind == "question"]
    assert len(drawn) == 40
    assert len(questions) == 20
    assert all(text.endswith("?") for text in questions)
    assert any(text.startswith("how do I configure relay") for text in questions)


def test_keyword_queries_are_words_of_one_document(corpus: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in corpus.rglob("*.md")]
    keywords = [query.text for query in queries.draw(corpus, 40) if query.kind == "keywords"]
    assert all(any(set(words.split()) <= set(_words(text)) for text in texts) for words in keywords)
    assert any("relay_table_" in words for words in keywords)


def _words(text: str) -> list[str]:
    return [word.strip(".`") for word in text.split()]


def test_queries_are_distinct_and_mixed(corpus: Path) -> None:
    drawn = queries.draw(corpus, 40)
    assert len({query.text for query in drawn}) == 40
    assert len({query.kind for query in drawn[:12]}) == 2


def test_the_same_files_give_the_same_queries_anywhere(corpus: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(corpus, elsewhere)
    assert queries.draw(corpus, 40) == queries.draw(elsewhere, 40)


def test_another_seed_gives_other_queries(corpus: Path) -> None:
    assert queries.draw(corpus, 40) != queries.draw(corpus, 40, seed=1)


def test_hidden_files_and_fenced_code_are_not_asked_about(corpus: Path) -> None:
    asked = " ".join(query.text for query in queries.draw(corpus, 200))
    assert "treasure" not in asked
    assert "fenced" not in asked


def test_a_small_corpus_gives_as_many_as_it_has(corpus: Path) -> None:
    assert 40 < len(queries.draw(corpus, 1000)) < 1000


def test_a_corpus_without_prose_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("", encoding="utf-8")
    with pytest.raises(BenchError, match="only 0 queries"):
        queries.draw(tmp_path)


def test_the_digest_tells_query_sets_apart(corpus: Path) -> None:
    drawn = queries.draw(corpus, 40)
    assert queries.digest(drawn) == queries.digest(list(drawn))
    assert queries.digest(drawn) != queries.digest(drawn[:-1])
