"""What is evaluated: a folder, a collection, a server, or a run that was kept."""

from groundkit_eval.targets.folder import (
    COLLECTION,
    Document,
    IndexChoice,
    Target,
    check_folder,
    corpus_digest,
    indexed_folder,
)

__all__ = [
    "COLLECTION",
    "Document",
    "IndexChoice",
    "Target",
    "check_folder",
    "corpus_digest",
    "indexed_folder",
]
