"""Programs that measure in a process of their own; each prints one JSON value."""
