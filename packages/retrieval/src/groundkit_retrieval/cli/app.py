"""The command group, and how it ends: exit code and one line for an error."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import click

from groundkit_core.errors import GroundkitError, RequestError, SettingsError
from groundkit_retrieval import __version__
from groundkit_retrieval.cli.embed import embed
from groundkit_retrieval.cli.ingest import ingest
from groundkit_retrieval.cli.inventory import collections, status
from groundkit_retrieval.cli.maintenance import doctor, rebuild
from groundkit_retrieval.cli.passages import show, verify
from groundkit_retrieval.cli.policy import policy
from groundkit_retrieval.cli.remove import remove
from groundkit_retrieval.cli.search import search
from groundkit_retrieval.cli.watch import watch

_USAGE, _FAILED, _INTERRUPTED = 2, 1, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="groundkit")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def groundkit(*, debug: bool) -> None:
    """Find passages of your documents, each with a citation that was checked.

    Settings come from groundkit.toml in the working directory, then GROUNDKIT_* variables,
    then options; later ones win.
    """


for _command in (
    ingest,
    search,
    show,
    verify,
    status,
    collections,
    remove,
    rebuild,
    doctor,
    watch,
    embed,
    policy,
):
    groundkit.add_command(_command)


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command and exit: 0 done, 1 failed, 2 usage, 130 interrupted."""
    arguments = sys.argv[1:] if args is None else args
    try:
        groundkit.main(arguments, prog_name="groundkit", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(_USAGE)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "groundkit"
        _fail(f"{error.format_message()} Try '{where} --help'.", _USAGE)
    except click.ClickException as error:
        _fail(error.format_message(), _FAILED)
    except (click.Abort, KeyboardInterrupt):
        _fail("interrupted; what was done before stays", _INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output left; nothing more can be said there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_FAILED)
    except Exception as error:
        if "--debug" in arguments:
            raise
        _fail(_message(error), _code(error))
    sys.exit(0)


def _message(error: Exception) -> str:
    if isinstance(error, GroundkitError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}; check the path and its permissions, or use --debug"
    return f"unexpected {type(error).__name__}; run with 'groundkit --debug' and report it"


def _code(error: Exception) -> int:
    return _USAGE if isinstance(error, (RequestError, SettingsError)) else _FAILED


def _fail(message: str, code: int) -> NoReturn:
    click.echo(f"groundkit: {' '.join(message.split())}", err=True)
    sys.exit(code)
