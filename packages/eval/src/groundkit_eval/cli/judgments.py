"""`groundkit-eval judgments`: check, draft and pool judgments."""

from __future__ import annotations

import json
from pathlib import Path

import click

from groundkit_eval.cli.options import FILE, debug_option
from groundkit_eval.cli.progress import progress_bar
from groundkit_eval.cli.signals import interruptible


@click.group()
@debug_option
def judgments() -> None:
    """Check, draft and pool judged queries."""


@judgments.command()
@click.argument("path", metavar="PATH", type=FILE)
@click.option("--corpus", type=FILE, metavar="DIR", help="Folder that the quotes stand in.")
@click.option("--split", default="", metavar="NAME", help="Which qrels of a BEIR folder.")
@debug_option
def check(path: Path, corpus: Path | None, split: str) -> None:
    """List everything that is wrong with the judgments in PATH; exit 1 when something is.

    Quotes that are missing from their source or stand in it more than once, documents that no
    search finds, and queries whose text, or whose answer, is leaked.
    """
    from groundkit_eval.judgments.checking import check_judgments
    from groundkit_eval.judgments.reading import JudgmentsChoice

    with interruptible(), progress_bar() as progress:
        found = check_judgments(JudgmentsChoice(path, split=split), corpus, progress)
    click.echo(f"{path.name}: {found.queries} queries, {found.answerable} answerable; all is well")


@judgments.command()
@click.option(
    "--from-collection", "collection", required=True, metavar="NAME", help="The collection."
)
@click.option("--index-dir", type=FILE, metavar="DIR", help="Its folder [default: .groundkit].")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="Proposals at the most, spread over the documents.",
)
@click.option("--out", type=FILE, metavar="FILE", help="Write here, not to standard output.")
@debug_option
def draft(collection: str, index_dir: Path | None, limit: int, out: Path | None) -> None:
    """Propose judgments from the headings and definitions of a collection.

    Every line says `"accepted": false`, and `run` refuses it until a person has looked at it and
    removed that. No model takes part, and equal collections give equal proposals.
    """
    from groundkit_eval.errors import EvaluationError
    from groundkit_eval.files import write_text
    from groundkit_eval.judgments.drafting import draft as propose

    if out is not None and out.exists():
        raise EvaluationError(f"{out.name} exists already; name another file")
    found = propose(index_dir or Path(".groundkit"), collection, limit)
    if not found:
        raise EvaluationError(f"{collection} has no heading or definition to ask for")
    lines = "".join(f"{candidate.line()}\n" for candidate in found)
    if out is None:
        click.echo(lines, nl=False)
    else:
        write_text(out, lines)
        click.echo(f"{out.name}: {len(found)} proposals to look at")


@judgments.command()
@click.argument("runs", metavar="RUN...", type=FILE, nargs=-1, required=True)
@click.option(
    "--depth",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="Results of each run and query that are pooled.",
)
@click.option(
    "--out", type=FILE, metavar="FILE", help="Judge the pool, and keep the verdicts here."
)
@click.option("--corpus", type=FILE, metavar="DIR", help="Folder of the documents.")
@click.option("--beir", type=FILE, metavar="DIR", help="BEIR folder of documents and queries.")
@click.option("--queries", type=FILE, metavar="FILE", help="Texts of the queries of TREC runs.")
@debug_option
def pool(
    runs: tuple[Path, ...],
    depth: int,
    out: Path | None,
    corpus: Path | None,
    beir: Path | None,
    queries: Path | None,
) -> None:
    """Pool the top of each RUN (a TREC run file, or a result) for judging.

    Without --out the pool is printed as JSON Lines. With it, a page shows each query and passage,
    and a key records the verdict; the same command goes on where it was left. Verdicts on
    passages are judgments with grades, those on documents TREC qrels.
    """
    from groundkit_eval.cli.judging import JudgingPage, keys
    from groundkit_eval.files import check_writable
    from groundkit_eval.judgments.pooling import Texts
    from groundkit_eval.judgments.pooling import pool as gather
    from groundkit_eval.judgments.verdicts import Verdicts

    unit, found = gather(runs, depth, Texts(corpus, beir, queries))
    if out is None:
        for one in found:
            place = {"source": one.place.source, "start": one.place.start, "end": one.place.end}
            click.echo(json.dumps({"id": one.query_id, "query": one.query, **place}))
        return
    check_writable(out)
    with interruptible(), keys() as key:
        left = JudgingPage(found, Verdicts(out, unit), key).run()
    click.echo(f"{out.name}: {len(found) - left} of {len(found)} judged")
