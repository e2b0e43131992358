"""E-mail messages."""

from groundkit_index.loaders.email.loading import LOADER

__all__ = ["LOADER"]
