"""Shows results: on the terminal, as Markdown, and within a page."""
