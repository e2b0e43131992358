"""Reading untrusted documents in processes that can be ended."""

from groundkit_index.isolation.pool import read_isolated
from groundkit_index.isolation.process import IsolatedProcess

__all__ = ["IsolatedProcess", "read_isolated"]
