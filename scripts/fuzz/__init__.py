"""Damaged, hostile and odd variants of documents of every format, read as the product does."""
