"""Fields of the lexical index."""

from __future__ import annotations

import tantivy

KEY = "key"
DOCUMENT = "doc"
BODY = "body"
HEADINGS = "headings"
PATH = "path"
SOURCE_CLASS = "class"
PROJECT = "project"

TEXT_FIELDS = (BODY, HEADINGS, PATH)
FREQ = "freq"
BASIC = "basic"
_TOKENIZER = "tokens"


def build_schema() -> tantivy.Schema:
    """Return the schema: keys, three fields of tokens, and raw filter terms; nothing is stored."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(KEY, indexed=True, fast=True)
    builder.add_unsigned_field(DOCUMENT, indexed=True, fast=True)
    for field in TEXT_FIELDS:
        builder.add_text_field(field, tokenizer_name=_TOKENIZER, index_option=FREQ)
    for field in (SOURCE_CLASS, PROJECT):
        builder.add_text_field(field, tokenizer_name="raw", index_option=BASIC)
    return builder.build()


def check_fields(index: tantivy.Index) -> None:
    """Raise ValueError unless an index has the fields of the schema."""
    for field in (*TEXT_FIELDS, SOURCE_CLASS, PROJECT):
        tantivy.Query.term_query(index.schema, field, "x")
    for field in (KEY, DOCUMENT):
        tantivy.Query.term_query(index.schema, field, 1)


def register_tokenizer(index: tantivy.Index) -> None:
    """Teach an open index that its text is tokens between spaces; nothing else is analysed."""
    tokenizer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(_TOKENIZER, tokenizer)
