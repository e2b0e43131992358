"""Speed and memory of ingest, search and serving over a public Markdown corpus."""
