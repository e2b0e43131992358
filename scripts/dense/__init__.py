"""Speed, recall and memory of dense and hybrid search."""
