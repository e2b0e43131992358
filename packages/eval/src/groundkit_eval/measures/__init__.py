"""Measures of retrieval, of abstention and of latency."""
