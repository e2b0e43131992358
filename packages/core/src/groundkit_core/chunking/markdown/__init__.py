"""The Markdown chunker."""
