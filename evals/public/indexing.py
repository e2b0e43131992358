"""Indexes the public sets, one collection each, with vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.public.sets import JudgedSet
from groundkit_index import IngestOptions, ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed


@dataclass(frozen=True, slots=True)
class Indexed:
    """A set and the collection that holds it, both under the set's name.

    Attributes:
        names: file name -> document id.
    """

    judged: JudgedSet
    index_dir: Path
    names: dict[str, str]


def index(sets: Sequence[JudgedSet], work: Path, model: Path | None) -> dict[str, Indexed]:
    """Index sets below a folder; what is there already is brought up to date.

    Args:
        sets: the sets.
        work: where documents and collections are kept.
        model: the directory of an onnx model; None gives no vectors.
    """
    found = {}
    for judged in sets:
        folder = work / "documents" / judged.name
        names = judged.write(folder)
        index_dir = work / "index"
        ingest(
            folder,
            index_dir=index_dir,
            collection=judged.name,
            options=IngestOptions(language="english"),
        )
        if model is not None:
            embed(
                index_dir=index_dir,
                collection=judged.name,
                embedder=EmbedderSettings("onnx", model=str(model)),
            )
        found[judged.name] = Indexed(judged, index_dir, names)
        print(f"{judged.name}: indexed", flush=True)
    return found
