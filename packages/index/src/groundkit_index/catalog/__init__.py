"""The catalog: the one truth of a collection, in SQLite."""
