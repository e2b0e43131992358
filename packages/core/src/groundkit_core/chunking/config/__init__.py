"""The chunker for configuration files."""
