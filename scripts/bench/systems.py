"""The systems under measurement: how each is called and how its answers are read."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from scripts.bench.errors import BenchError
from scripts.bench.workers.loop import LIMIT

PEER_REQUIREMENT = "groundkit==0.2.1"
_PEER_COUNTS = re.compile(r"(\d+) indexed, .* (\d+) chunks written")


@dataclass(frozen=True, slots=True)
class Ingested:
    """What the first ingest says it indexed."""

    documents: int
    chunks: int


class System(Protocol):
    """One retrieval system, by its commands; every path is absolute."""

    @property
    def name(self) -> str:
        """A stable name for tables and JSON."""
        ...

    @property
    def version(self) -> str:
        """The version that is measured."""
        ...

    def ingest(self, corpus: Path, index: Path) -> list[str]:
        """The command that ingests a folder, whether the index exists or not."""
        ...

    def search(self, query: str, index: Path) -> list[str]:
        """The command that searches once and prints JSON."""
        ...

    def serve(self, corpus: Path, index: Path) -> list[str]:
        """The command that serves MCP over stdio."""
        ...

    def warm(self, index: Path, queries: Path) -> list[str]:
        """The command that times searches in process, run from the checkout."""
        ...

    def tool_arguments(self, query: str) -> dict[str, Any]:
        """The arguments of the MCP tool `search`."""
        ...

    def ingested(self, stdout: str) -> Ingested:
        """Read what the first ingest printed."""
        ...

    def sources(self, stdout: str) -> list[str]:
        """The source of each result of a search, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Ours:
    """This repository, as installed in the running interpreter's environment."""

    name: str = "ours"
    version: str = ""

    @classmethod
    def find(cls) -> Ours:
        """Take the installed version.

        Raises:
            BenchError: it is not installed.
        """
        try:
            return cls(version=importlib.metadata.version("groundkit-retrieval"))
        except importlib.metadata.PackageNotFoundError:
            raise BenchError("groundkit-retrieval is not installed; run `make setup`") from None

    def ingest(self, corpus: Path, index: Path) -> list[str]:
        """See `System`."""
        return [_script("groundkit"), "ingest", str(corpus), "--index-dir", str(index), "--json"]

    def search(self, query: str, index: Path) -> list[str]:
        """See `System`."""
        shared = ["--index-dir", str(index), "--limit", str(LIMIT), "--json"]
        return [_script("groundkit"), "search", *shared, "--", query]

    def serve(self, corpus: Path, index: Path) -> list[str]:
        """See `System`."""
        del corpus
        return [_script("groundkit-mcp"), "serve", "--index-dir", str(index)]

    def warm(self, index: Path, queries: Path) -> list[str]:
        """See `System`."""
        return [sys.executable, "-m", "scripts.bench.workers.ours", str(index), str(queries)]

    def tool_arguments(self, query: str) -> dict[str, Any]:
        """See `System`."""
        return {"query": query, "limit": LIMIT}

    def ingested(self, stdout: str) -> Ingested:
        """See `System`."""
        report = json.loads(stdout)
        return Ingested(report["documents"]["added"], report["chunks"])

    def sources(self, stdout: str) -> list[str]:
        """See `System`."""
        return [result["citation"]["source"] for result in json.loads(stdout)["results"]]


@dataclass(frozen=True, slots=True)
class Peer:
    """groundkit 0.2.1 from the package index, lexical (its default mode, `bm25`).

    Its index folder must be absolute: it fails to reopen a relative one.

    Attributes:
        binaries: the folder of its environment's programs.
    """

    binaries: Path
    name: str = "peer"
    version: str = PEER_REQUIREMENT.partition("==")[2]

    @classmethod
    def install(cls, environment: Path, env: Mapping[str, str]) -> Peer:
        """Install it into an environment of its own; what is there already is kept.

        Args:
            environment: the folder of the environment.
            env: the process environment for `pip`, which needs the network.

        Raises:
            BenchError: the environment cannot be made or the peer not installed.
        """
        binaries = environment / "bin"
        if not (binaries / "grk").exists():
            pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            _checked([sys.executable, "-m", "venv", str(environment)], env)
            _checked([str(binaries / "python"), *pip, PEER_REQUIREMENT], env)
        return cls(binaries)

    def ingest(self, corpus: Path, index: Path) -> list[str]:
        """See `System`."""
        return [self._grk, "ingest", str(corpus), "--index-dir", str(index)]

    def search(self, query: str, index: Path) -> list[str]:
        """See `System`."""
        shared = ["--index-dir", str(index), "--top-k", str(LIMIT), "--mode", "bm25", "--json"]
        return [self._grk, "search", *shared, "--", query]

    def serve(self, corpus: Path, index: Path) -> list[str]:
        """See `System`."""
        return [self._grk, "serve-mcp", "--index-dir", str(index), "--base-dir", str(corpus)]

    def warm(self, index: Path, queries: Path) -> list[str]:
        """See `System`."""
        python = str(self.binaries / "python")
        return [python, "-m", "scripts.bench.workers.peer", str(index), str(queries)]

    def tool_arguments(self, query: str) -> dict[str, Any]:
        """See `System`."""
        return {"query": query, "top_k": LIMIT, "mode": "bm25"}

    def ingested(self, stdout: str) -> Ingested:
        """See `System`."""
        found = _PEER_COUNTS.search(stdout)
        if not found:
            raise BenchError("the peer's ingest report cannot be read")
        return Ingested(int(found[1]), int(found[2]))

    def sources(self, stdout: str) -> list[str]:
        """See `System`."""
        return [result["source"] for result in json.loads(stdout)["results"]]

    @property
    def _grk(self) -> str:
        return str(self.binaries / "grk")


def _script(name: str) -> str:
    """The console script of the running interpreter's environment."""
    return str(Path(sysconfig.get_path("scripts"), name))


def _checked(command: list[str], env: Mapping[str, str]) -> None:
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise BenchError(f"{PEER_REQUIREMENT} could not be installed: {lines[-1]}")
