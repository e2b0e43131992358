"""`groundkit policy check`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_core.contracts.base import SourceClass
from groundkit_retrieval.cli.options import json_option, print_json
from groundkit_retrieval.cli.text import printable

if TYPE_CHECKING:
    from groundkit_core.access import Principal
    from groundkit_core.access.explaining import (
        DocumentQuestion,
        DocumentReport,
        PolicyReport,
        ProfileReport,
    )


@click.group()
def policy() -> None:
    """Explain access policies."""


@policy.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "subject", metavar="SUBJECT", help="Show the profile of this subject.")
@click.option("--claim", "claims", multiple=True, metavar="NAME=VALUE", help="A claim it holds.")
@click.option("--profile", metavar="NAME", help="Show this profile only.")
@click.option("--document", metavar="PATH", help="Say who may read it; a path below its root.")
@click.option(
    "--source-class",
    type=click.Choice(SOURCE_CLASSES),
    help="Class it is indexed with [default: by its name].",
)
@click.option("--project", default="default", show_default=True, help="Project of the document.")
@click.option("--label", "labels", multiple=True, metavar="L", help="Label in its front matter.")
@click.option("--collection", default="default", show_default=True, help="Collection it is in.")
@click.option("--root", default="", metavar="NAME", help="Name of its root.")
@json_option
def check(
    file: Path,
    subject: str | None,
    claims: Sequence[str],
    profile: str | None,
    document: str | None,
    source_class: SourceClass | None,
    project: str,
    labels: Sequence[str],
    collection: str,
    root: str,
    *,
    as_json: bool,
) -> None:
    """Check a policy file and explain what it decides, in words.

    Exits with 1 when the file is not valid. No index is read. Without --as, --claim or
    --profile all profiles are shown.
    """
    from groundkit_core.access.explaining import explain

    if profile is not None and (subject is not None or claims):
        raise click.UsageError("--profile does not go with --as or --claim.")
    report = explain(
        file,
        principal=_principal(subject, claims),
        profile=profile,
        document=_question(document, source_class, project, labels, collection, root),
    )
    if as_json:
        print_json(report)
    else:
        _show(report)
    if not report.valid:
        sys.stdout.flush()
        count = len(report.problems)
        raise click.ClickException(
            f"{printable(file.name)} is not valid: {count} problem{'s' * (count != 1)}"
        )


def _principal(subject: str | None, claims: Sequence[str]) -> Principal | None:
    from groundkit_core.access import Principal

    if subject is None and not claims:
        return None
    held: dict[str, tuple[str, ...]] = {}
    for claim in claims:
        name, equals, value = claim.partition("=")
        if not name or not equals:
            raise click.UsageError("--claim takes NAME=VALUE.")
        held[name] = (*held.get(name, ()), value)
    return Principal(subject or "", held)


def _question(
    source: str | None,
    source_class: SourceClass | None,
    project: str,
    labels: Sequence[str],
    collection: str,
    root: str,
) -> DocumentQuestion | None:
    from groundkit_core.access.explaining import DocumentQuestion
    from groundkit_core.errors import DocumentRefusedError
    from groundkit_core.paths import split_source

    if source is None:
        return None
    try:
        split_source(source)
    except DocumentRefusedError:
        raise click.UsageError("--document takes a path below its root, such as a/b.md.") from None
    chosen = source_class or _class_by_name(source)
    return DocumentQuestion(source, chosen, project, frozenset(labels), collection, root)


def _class_by_name(source: str) -> SourceClass:
    from groundkit_core.kinds import kind_of
    from groundkit_index.sources.classify import classify

    kind = kind_of(source)
    if kind is None:
        raise click.UsageError("The name does not tell what it is; add --source-class.")
    return classify(source, kind)


def _show(report: PolicyReport) -> None:
    for problem in report.problems:
        click.echo(printable(problem))
    if report.fingerprint is not None:
        click.echo(f"valid ({report.fingerprint[:12]})")
    for note in report.notes:
        click.echo(f"note: {printable(note)}")
    if report.document is not None:
        _show_document(report.document)
    for profile in report.profiles:
        _show_profile(profile)


def _show_document(document: DocumentReport) -> None:
    click.echo(f"document {printable(document.source)}")
    for why in document.why:
        click.echo(f"  {printable(why)}")


def _show_profile(profile: ProfileReport) -> None:
    why = f": {profile.why}" if profile.why else ""
    click.echo(f"profile {printable(profile.name)}{why}")
    click.echo(f"  classes      {_listed(profile.classes)}")
    click.echo(f"  config       {_config(profile)}")
    click.echo(f"  projects     {_listed(profile.projects)}")
    click.echo(f"  collections  {_listed(profile.collections)}")
    click.echo(f"  labels       {_listed(profile.labels)}")
    if profile.decision is not None:
        verdict = "may read it" if profile.decision.allowed else "MAY NOT read it"
        click.echo(f"  {verdict}: {printable(profile.decision.reason)}")
        click.echo(f"  decided by {printable(profile.decision.rule)}")


def _config(profile: ProfileReport) -> str:
    return "only when asked for by name" if profile.config_by_name else "may not be asked for"


def _listed(names: Sequence[str] | None) -> str:
    if names is None:
        return "all"
    return printable(", ".join(names)) or "none"
