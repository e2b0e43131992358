"""Programs that open one system in process and time it; each runs under its own interpreter."""
