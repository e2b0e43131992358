"""Our lexical index, asked past our search."""

from __future__ import annotations

from collections.abc import Sequence

import tantivy

from groundkit_index import CollectionPaths
from groundkit_index.lexical import schema

_Query = tantivy.Query


class OurIndex:
    """The tantivy index of the default collection.

    Args:
        index_dir: the index folder.
    """

    def __init__(self, index_dir: str) -> None:
        version = CollectionPaths.of(index_dir, "default").current()
        index = tantivy.Index.open(str(version.lexical))
        schema.register_tokenizer(index)
        self._searcher = index.searcher()
        self._schema = index.schema

    @property
    def segments(self) -> int:
        """How many segments it has."""
        return int(self._searcher.num_segments)

    def search_body(self, tokens: Sequence[str], limit: int) -> list[int]:
        """The keys of the best chunks by their body alone, best first."""
        terms = [
            (tantivy.Occur.Should, _Query.term_query(self._schema, schema.BODY, token, "freq"))
            for token in tokens
        ]
        hits = self._searcher.search(_Query.boolean_query(terms), limit, count=False).hits
        keys = self._searcher.fast_field_values(schema.KEY, [address for _, address in hits])
        return [int(key) for key in keys if key is not None]
