"""The lexical index: BM25 over the analyzer's tokens, in tantivy; derived from the catalog."""
