"""The prefixes that well-known models were trained with, from their model cards."""

from __future__ import annotations

from groundkit_index.embedders.settings import EmbedderSettings

_REPRESENT = "Represent this sentence for searching relevant passages: "

# The first fragment that the lower-case name holds decides.
_KNOWN: tuple[tuple[str, str, str], ...] = (
    ("bge-m3", "", ""),
    ("bge-small-en", _REPRESENT, ""),
    ("bge-base-en", _REPRESENT, ""),
    ("bge-large-en", _REPRESENT, ""),
    ("snowflake-arctic-embed", _REPRESENT, ""),
    ("mxbai-embed-large", _REPRESENT, ""),
    ("nomic-embed-text", "search_query: ", "search_document: "),
    ("multilingual-e5-large-instruct", "", ""),
    ("e5-small", "query: ", "passage: "),
    ("e5-base", "query: ", "passage: "),
    ("e5-large", "query: ", "passage: "),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
)


def prefixes(settings: EmbedderSettings, model: str) -> tuple[str, str]:
    """Return the query and the document prefix: what is set, else what the model is known for."""
    query, document = _known(model.lower())
    return (
        query if settings.query_prefix is None else settings.query_prefix,
        document if settings.document_prefix is None else settings.document_prefix,
    )


def _known(model: str) -> tuple[str, str]:
    for fragment, query, document in _KNOWN:
        if fragment in model:
            return query, document
    return "", ""
