"""The loaders by format; each is imported when a document of its format comes."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.structure import Extraction
from groundkit_index.loaders.protocol import Limits, Loader

FORMATS = ("docx", "email", "epub", "html", "notebook", "pdf", "pptx", "subtitles", "xlsx")
"""Formats whose text is extracted; the others are text themselves."""

INSTALL = "groundkit-index[formats]"


def load(kind: str, data: bytes, limits: Limits) -> tuple[Extraction, str]:
    """Return what is in a document, and which extractor in which version took it out.

    Args:
        kind: one of `FORMATS`.
        data: the document's bytes.
        limits: what it may take.

    Raises:
        DocumentRefusedError: it cannot be read, or `missing_package`.
    """
    loader = _loader(kind)
    extraction = loader.load(data, limits)
    if not extraction.text.strip():
        raise DocumentRefusedError("no_text", "there is no text in it")
    if len(extraction.text) > limits.characters:
        raise DocumentRefusedError("over_limit", f"more than {limits.characters:,} characters")
    return extraction, f"{kind} {loader.version}"


@cache
def _loader(kind: str) -> Loader:
    try:
        loader: Loader = import_module(f"groundkit_index.loaders.{kind}").LOADER
    except ModuleNotFoundError as error:
        missing = (error.name or "a package").partition(".")[0]
        raise DocumentRefusedError(
            "missing_package", f"{missing} is needed to read it; install {INSTALL}"
        ) from None
    return loader
