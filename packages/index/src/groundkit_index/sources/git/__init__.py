"""Documents of a git repository at a commit, read without a checkout and without git."""

from groundkit_index.sources.git.fetch import FetchLimits, fetch_repository
from groundkit_index.sources.git.transport import Opener, Response
from groundkit_index.sources.git.tree import GitTree
from groundkit_index.sources.git.urls import GitUrl, parse_git_url

__all__ = [
    "FetchLimits",
    "GitTree",
    "GitUrl",
    "Opener",
    "Response",
    "fetch_repository",
    "parse_git_url",
]
