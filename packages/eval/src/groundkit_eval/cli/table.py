"""`groundkit-eval table`: show a result file as Markdown, or keep a page in step with it."""

from __future__ import annotations

from pathlib import Path

import click

from groundkit_eval.cli.options import FILE, debug_option


@click.command()
@click.argument("result", type=FILE)
@click.option(
    "--update",
    "page",
    type=FILE,
    metavar="PAGE",
    help="Replace what stands between `<!-- eval:begin -->` and `<!-- eval:end -->` in PAGE.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Change nothing; fail when PAGE shows another result. Latency does not count.",
)
@debug_option
def table(result: Path, page: Path | None, *, check: bool) -> None:
    """Print the tables of RESULT, which `run --json` wrote, as Markdown."""
    from groundkit_eval.report.load import load_result
    from groundkit_eval.report.markdown import to_markdown
    from groundkit_eval.report.page import check_page, update_page

    if check and page is None:
        raise click.UsageError("--check needs --update PAGE", click.get_current_context())
    markdown = to_markdown(load_result(result))
    if page is None:
        click.echo(markdown, nl=False)
    elif check:
        check_page(page, markdown)
    else:
        changed = update_page(page, markdown)
        click.echo(f"{page.name} {'updated' if changed else 'is up to date'}")
