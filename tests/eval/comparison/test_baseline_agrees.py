"""The baseline's shortcut, scoring candidates only, against rank-bm25 over everything."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from groundkit_eval.stages.baseline import Bm25

tokens = st.lists(st.sampled_from("abcdefgh"), max_size=12)


@settings(deadline=None)
@given(st.lists(tokens, min_size=1, max_size=12).filter(any), st.lists(st.sampled_from("abcxyz")))
def test_candidates_are_ranked_as_rank_bm25_ranks_all(
    bags: list[list[str]], query: list[str]
) -> None:
    asked = list(dict.fromkeys(query))
    scores = BM25Okapi(bags).get_scores(asked)
    sharing = [number for number, bag in enumerate(bags) if set(bag) & set(asked)]
    wanted = sorted(sharing, key=lambda number: (-scores[number], number))
    assert Bm25(bags).rank(query) == wanted
