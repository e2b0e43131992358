"""How ingest, search and memory grow with the number of chunks, beside bare engines."""
