"""One analyzer serves many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from groundkit_core.analysis import Analyzer


def test_threads_that_share_an_analyzer_get_what_one_gets_alone() -> None:
    texts = [
        " ".join(
            f"running{chr(97 + i % 26)}{n}ings nation{n}ality getUser{i}Names" for n in range(200)
        )
        for i in range(16)
    ]
    alone = Analyzer("english")
    expected = [alone.tokens(text) for text in texts]
    shared = Analyzer("english")
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.tokens, texts * 2)) == expected * 2
