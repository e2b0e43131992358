"""Reads, decodes, chunks and analyses one file; runs here or in a worker process."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from groundkit_core.analysis import Analyzer
from groundkit_core.chunking.code.chunker import Outliner
from groundkit_core.contracts import SourceClass
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkSettings, FileSignature
from groundkit_index.guard import private_name
from groundkit_index.origins import Origin, origin_of
from groundkit_index.prepare import digest, prepare
from groundkit_index.prepared import PreparedDocument

_RACY_NS = 50_000_000


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """What is the same for all files of a run.

    Attributes:
        root: the root's path, as the catalog has it.
        snapshots: the folder of fetched documents.
        max_bytes: larger files are refused.
        detect: guess encodings.
        chunking: chunk sizes.
        language: the analyzer's language.
        allowed: ids of guard rules that do not refuse a file.
        held: digests of documents that have vanished; a file with one of them has moved.
    """

    root: str
    snapshots: str
    max_bytes: int
    detect: bool
    chunking: ChunkSettings
    language: str
    allowed: frozenset[str]
    held: frozenset[str]


@dataclass(frozen=True, slots=True)
class Job:
    """A document to read.

    Attributes:
        size: bytes, as far as a listing tells.
        kind: what its name says; its bytes may say another.
        links: how many names of the file lie below the root; more are links to elsewhere.
        sha256: what the catalog holds of it.
    """

    source: str
    size: int
    kind: Kind
    source_class: SourceClass
    project: str
    links: int
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a file.

    Attributes:
        sha256: digest of its bytes; None when it was refused.
        signature: what `stat` said of it while it was read.
        document: the document; None when it was refused, is unchanged or may have moved.
        refusal: reason code and message; None when it was read.
    """

    sha256: str | None = None
    signature: FileSignature | None = None
    document: PreparedDocument | None = None
    refusal: tuple[str, str] | None = None


def read_file(job: Job, settings: ReadSettings, outliner: Outliner | None = None) -> Outcome:
    """Return what came of a document; never raises for what is wrong with it.

    Args:
        job: the document.
        settings: the same for all.
        outliner: finds the definitions of source code [patterns].
    """
    try:
        _check_name(job.source, settings.allowed)
        origin = _origin(settings.root, settings.snapshots)
        data, signature = origin.read(job.source, max_bytes=settings.max_bytes, max_links=job.links)
        signature = _settled(signature)
        sha256 = digest(data)
        if sha256 == job.sha256 or sha256 in settings.held:
            return Outcome(sha256, signature)
        document = prepare(
            job.source,
            data,
            signature,
            kind=job.kind,
            source_class=job.source_class,
            project=job.project,
            chunking=settings.chunking,
            analyzer=_analyzer(settings.language),
            detect=settings.detect,
            allowed=settings.allowed,
            outliner=outliner,
        )
    except DocumentRefusedError as error:
        return Outcome(refusal=(error.reason, str(error)))
    return Outcome(sha256, signature, document)


def _check_name(source: str, allowed: frozenset[str]) -> None:
    rule_id = private_name(source)
    if rule_id is not None and rule_id not in allowed:
        raise DocumentRefusedError("secret", f"{rule_id} by its name; --allow-secrets {rule_id}")


@lru_cache(maxsize=4)
def _origin(root: str, snapshots: str) -> Origin:
    return origin_of(root, Path(snapshots))


@lru_cache(maxsize=4)
def _analyzer(language: str) -> Analyzer:
    return Analyzer(language)


def _settled(signature: FileSignature) -> FileSignature:
    """Return a signature that cannot hide a change within the clock's grain.

    A file that changed just before it was read may change again with the same times; a
    zero time makes every later look read it (as git does with its racy entries).
    """
    if time.time_ns() - max(signature.mtime_ns, signature.ctime_ns) > _RACY_NS:
        return signature
    return FileSignature(signature.size, 0, 0, signature.inode)
