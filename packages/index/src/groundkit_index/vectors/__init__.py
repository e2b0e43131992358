"""Vectors of chunks: a LanceDB table, and a flat copy that is read without LanceDB."""
