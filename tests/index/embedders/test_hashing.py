from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_index.embedders import EmbedderSettings, make_embedder

_EMBEDDER = make_embedder(EmbedderSettings("hash"))


def test_vectors_are_the_same_on_every_machine() -> None:
    vector = _EMBEDDER.embed_query("reset the password")
    assert {
        int(feature): round(float(vector[feature]), 4) for feature in np.flatnonzero(vector)
    } == {
        47: -0.5774,
        81: 0.5774,
        210: -0.5774,
    }


def test_shared_words_bring_texts_nearer() -> None:
    query = _EMBEDDER.embed_query("Reset the PASSWORD")
    near, far = _EMBEDDER.embed_documents(["how to reset a password", "volcanic rocks cool"])
    assert near @ query > 0.4 > abs(far @ query)


def test_prefixes_are_part_of_the_vector_and_of_the_identity() -> None:
    embedder = make_embedder(EmbedderSettings("hash", query_prefix="query: "))
    assert embedder.identity.query_prefix == "query: "
    assert not np.allclose(embedder.embed_query("a"), embedder.embed_documents(["a"])[0])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=4))
def test_any_text_gets_a_vector_of_unit_length(texts: list[str]) -> None:
    vectors = _EMBEDDER.embed_documents(texts)
    assert vectors.shape == (len(texts), 256)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
