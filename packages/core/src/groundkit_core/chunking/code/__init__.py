"""The source-code chunker."""
