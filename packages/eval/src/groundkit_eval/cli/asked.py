"""Options that say what is evaluated: judged queries, and what answers them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groundkit_eval.cli.options import FILE, check_output

if TYPE_CHECKING:
    from groundkit_eval.plan import Plan
    from groundkit_eval.setup import Setup

Command = Callable[..., None]

_OPTIONS = (
    click.option(
        "--corpus",
        type=FILE,
        metavar="DIR",
        help="Folder to index; with --collection or --target only where quotes are found.",
    ),
    click.option(
        "--judgments",
        type=FILE,
        metavar="PATH",
        help="Judged queries: JSON Lines, a BEIR folder, or TREC qrels.",
    ),
    click.option("--beir", type=FILE, metavar="DIR", help="BEIR folder: documents and judgments."),
    click.option(
        "--split", default="", metavar="NAME", help="Which qrels of a BEIR folder [default: test]."
    ),
    click.option(
        "--unanswerable",
        is_flag=True,
        help="Ask the queries that a BEIR folder marks as unanswerable, too.",
    ),
    click.option(
        "--queries", type=FILE, metavar="FILE", help="Texts of the queries of TREC qrels."
    ),
    click.option(
        "--collection",
        metavar="NAME",
        help="Measure this collection, which exists already [see --index-dir].",
    ),
    click.option("--index-dir", type=FILE, metavar="DIR", help="Its folder [default: .groundkit]."),
    click.option(
        "--target",
        "targets",
        type=FILE,
        multiple=True,
        metavar="FILE",
        help="Targets in TOML (MCP, REST), a TREC run file, or a result; repeatable.",
    ),
    click.option(
        "--matrix",
        multiple=True,
        metavar="KEY=A,B",
        help="Measure every combination of settings, such as chunk_target=500,1000; repeatable.",
    ),
    click.option(
        "--measures",
        default="",
        metavar="NAMES",
        help="More measures, such as 'nDCG@5,AP,P@5,Success@1,IoU@5'.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(10, 1000),
        default=10,
        show_default=True,
        help="Results to ask for with each query; at most 20 of this engine.",
    ),
    click.option(
        "--language",
        default="english",
        show_default=True,
        help="Language of the documents, as Snowball names it; `none` stems nothing.",
    ),
    click.option(
        "--resume",
        type=FILE,
        metavar="DIR",
        help="Keep answers here while they are gathered, and go on from those that are.",
    ),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks to be evaluated; see the options."""

    corpus: Path | None
    judgments: Path | None
    beir: Path | None
    split: str
    unanswerable: bool
    queries: Path | None
    collection: str | None
    index_dir: Path | None
    targets: tuple[Path, ...]
    matrix: tuple[str, ...]
    measures: str
    limit: int
    language: str
    resume: Path | None

    @property
    def judged(self) -> Path:
        """Where the judgments are.

        Raises:
            UsageError: none are named, or two.
        """
        named = self.beir or self.judgments
        if named is None:
            raise _usage("Missing option '--judgments' (or '--beir').")
        if self.beir and (self.judgments or self.corpus):
            raise _usage("--beir names documents and judgments; leave the others out.")
        return named

    def check_output(self, output: Path | None) -> None:
        """Check before long work that the result, and what is kept, can be written.

        Raises:
            UsageError: it would overwrite the judgments.
            ResultError: it cannot be written.
            LeakError: it would lie inside the corpus.
        """
        from groundkit_eval.judgments.leaks import refuse_inside

        self._check_named()
        if output is not None:
            check_output(output, self.judged)
        for path, what in ((output, "the result file"), (self.resume, "the folder of --resume")):
            for folder in (self.corpus, self.beir):
                if path is not None and folder is not None:
                    refuse_inside(folder, path, what)

    def _check_named(self) -> None:
        if not (self.corpus or self.beir or self.collection or self.targets):
            raise _usage("Missing option '--corpus' (or '--beir', '--collection', '--target').")
        _ = self.judged

    def plan(self, setup: Setup) -> Plan:
        """Return what is evaluated, under a setup of the engine.

        Raises:
            UsageError: the options do not fit together.
            SettingsError: a measure is unknown.
        """
        from groundkit_core.errors import RequestError
        from groundkit_core.model import ChunkSettings
        from groundkit_eval.judgments.reading import JudgmentsChoice
        from groundkit_eval.measures.selection import select
        from groundkit_eval.plan import Plan
        from groundkit_eval.targets.folder import IndexChoice

        choice = JudgmentsChoice(self.judged, self.queries, self.split, self.unanswerable)
        try:
            return Plan(
                judgments=choice,
                corpus=self.corpus,
                collection=self._collection(),
                targets=self.targets,
                limit=self.limit,
                index=IndexChoice(self.language, ChunkSettings()),
                setup=setup,
                matrix=self.matrix,
                selection=select(self.measures),
                resume=self.resume,
            )
        except RequestError as error:
            raise _usage(f"{error}.") from None

    def _collection(self) -> tuple[Path, str] | None:
        if self.collection is None:
            if self.index_dir is not None:
                raise _usage("--index-dir needs --collection NAME.")
            return None
        return self.index_dir or Path(".groundkit"), self.collection


def _usage(message: str) -> click.UsageError:
    return click.UsageError(message, click.get_current_context())


def asked_options(command: Command) -> Command:
    """Add the options, and give the command what was chosen as `asked`."""
    names = tuple(Asked.__dataclass_fields__)

    @functools.wraps(command)
    def with_asked(**rest: Any) -> None:
        command(asked=Asked(**{name: rest.pop(name) for name in names}), **rest)

    # Decorators apply from the inside out, so the last is shown first.
    for option in reversed(_OPTIONS):
        with_asked = option(with_asked)
    return with_asked
