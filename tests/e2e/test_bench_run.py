"""The whole benchmark over a few documents, in real processes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile

import pytest
from scripts.bench.corpus import CHECKOUT
from scripts.bench.measures import MEASURES

_PAGE = """# How to configure relay {n}

Relay {n} keeps its cooling schedule in a small table. The table for relay {n} lists every
`relay_table_{n}` entry together with its opening temperature and its closing temperature.
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """What the benchmark printed and wrote."""
    folder = tmp_path_factory.mktemp("bench")
    corpus, out = folder / "corpus", folder / "figures" / "out.json"
    corpus.mkdir()
    for n in range(12):
        (corpus / f"page{n}.md").write_text(_PAGE.format(n=n), encoding="utf-8")
    options = ["--corpus", str(corpus), "--json", str(out), "--repeats", "1", "--queries", "16"]
    command = [sys.executable, "-m", "scripts.bench", *options]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, out.read_text(encoding="utf-8")


def test_every_measure_is_taken(run: tuple[str, str]) -> None:
    taken = json.loads(run[1])["systems"]["ours"]["measures"]
    assert {measure.key for measure in MEASURES} <= set(taken)
    assert taken["documents"]["median"] == 12
    assert taken["chunks"]["median"] >= 12
    assert taken["answered"]["median"] == 16


def test_what_is_published_names_no_path_and_no_host(run: tuple[str, str]) -> None:
    machine = json.loads(run[1])["machine"]
    assert set(machine) == {"cpu", "cores", "memory_bytes", "system", "python", "load_1m"}
    for text in run:
        assert str(CHECKOUT) not in text
        assert tempfile.gettempdir() not in text
