"""Judged queries: their format, their anchors in the corpus, and the leak check."""
