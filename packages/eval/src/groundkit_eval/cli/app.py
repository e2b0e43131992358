"""The command group, and how it ends: exit code and one line for an error."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

import click

from groundkit_core.errors import GroundkitError, RequestError, SettingsError
from groundkit_eval.cli.calibrate import calibrate
from groundkit_eval.cli.compare import compare
from groundkit_eval.cli.judgments import judgments
from groundkit_eval.cli.options import debug_option
from groundkit_eval.cli.report import report
from groundkit_eval.cli.run import run
from groundkit_eval.cli.schema import schema
from groundkit_eval.cli.table import table
from groundkit_eval.errors import JudgmentsError

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
_NAME = "groundkit-eval"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=_NAME, prog_name=_NAME)
@debug_option
def cli() -> None:
    """Measure retrieval on your own documents with judged questions."""


for _command in (run, compare, report, table, calibrate, judgments, schema):
    cli.add_command(_command)


def main() -> None:
    """Run the command line of this process and exit."""
    sys.exit(execute(sys.argv[1:]))


def execute(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code: 0 done, 1 failed, 2 usage, 130 interrupted."""
    debug = "--debug" in arguments
    try:
        cli.main(list(arguments), prog_name=_NAME, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except BrokenPipeError:
        # The reader of our output left; nothing more can be said there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - every failure ends here
        if debug:
            traceback.print_exc()
        click.echo(_message(error), err=True)
        return _code(error)
    return DONE


def _message(error: BaseException) -> str:
    if isinstance(error, JudgmentsError):
        return str(error)
    return f"{_NAME}: {' '.join(_reason(error).split())}"


def _reason(error: BaseException) -> str:
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else _NAME
        return f"{error.format_message()} Try '{command} --help'."
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, GroundkitError):
        return str(error)
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return str(error) or "interrupted; nothing was kept"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}; check paths, permissions and free space, or use --debug"
    return f"unexpected {type(error).__name__}; run again with --debug and report it"


def _code(error: BaseException) -> int:
    if isinstance(error, KeyboardInterrupt | click.Abort):
        return INTERRUPTED
    usage = isinstance(error, click.UsageError | RequestError | SettingsError)
    return USAGE if usage else FAILED
