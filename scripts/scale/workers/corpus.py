"""Write a corpus: `SEEDS CHUNKS SPARE TARGET`; seeds are a folder."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from scripts.scale.corpora import write_corpus
from scripts.scale.seeds import read_seeds, text_files
from scripts.scale.splice import documents


def main() -> None:
    """Write the corpus and print what it holds."""
    seeds, chunks, spare, target = sys.argv[1:]
    spliced = documents(read_seeds(text_files(Path(seeds))))
    print(json.dumps(asdict(write_corpus(spliced, Path(target), int(chunks), int(spare)))))


if __name__ == "__main__":
    main()
