"""The `groundkit-mcp` command."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from groundkit_mcp import __version__
from groundkit_mcp.clients import CLIENTS, snippet
from groundkit_mcp.lifecycle import exit_now

if TYPE_CHECKING:
    from groundkit_core.settings import Settings

_USAGE, _FAILED, _INTERRUPTED = 2, 1, 130

_docs = click.option(
    "--docs",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Folder to index at the start, in the background.",
)
_index_dir = click.option("--index-dir", metavar="DIR", help="Index folder [default: .groundkit].")
_collection = click.option("--collection", metavar="NAME", help="Collection [default: default].")


_HTTP = (
    click.option("--http", is_flag=True, help="Serve MCP and REST over HTTP."),
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option(
        "--port",
        default=8000,
        show_default=True,
        type=click.IntRange(0, 65535),
        help="Port to listen on; 0 takes a free one.",
    ),
    click.option("--allow-remote", is_flag=True, help="Listen on an address others can reach."),
    click.option(
        "--allow-host",
        "names",
        multiple=True,
        metavar="NAME",
        help="Answer to this host name, too; may be repeated.",
    ),
    click.option(
        "--auth-tokens",
        envvar="GROUNDKIT_AUTH_TOKENS",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Bearer tokens by their hash; see `token new`.",
    ),
    click.option(
        "--auth-keys",
        envvar="GROUNDKIT_AUTH_KEYS",
        metavar="FILE|URL",
        help="Public key (PEM) or JWKS of the authorization server.",
    ),
    click.option(
        "--auth-issuer", envvar="GROUNDKIT_AUTH_ISSUER", metavar="ISS", help="Issuer of tokens."
    ),
    click.option(
        "--auth-audience",
        envvar="GROUNDKIT_AUTH_AUDIENCE",
        metavar="AUD",
        help="Audience that tokens must be for.",
    ),
    click.option(
        "--auth-resource",
        "resource",
        envvar="GROUNDKIT_AUTH_RESOURCE",
        metavar="URL",
        help="Address under which clients reach /mcp [default: from the Host header].",
    ),
    click.option(
        "--cursor-key",
        envvar="GROUNDKIT_CURSOR_KEY",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Secret of 32 bytes or more that replicas share [default: one of this process].",
    ),
    click.option(
        "--log-format",
        type=click.Choice(("line", "json")),
        default="line",
        show_default=True,
        help="The log on standard error; json logs every request, too.",
    ),
)


def _http_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_HTTP):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="groundkit-mcp")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def groundkit_mcp(*, debug: bool) -> None:
    """Offer your documents to AI assistants: passages with citations that were checked.

    Settings come from groundkit.toml in the working directory, then GROUNDKIT_* variables,
    then options; later ones win.
    """


@groundkit_mcp.command()
@_docs
@_index_dir
@_collection
@_http_options
@click.option("--watch", is_flag=True, help="Keep the index in step while files of --docs change.")
@click.option(
    "--profile-tools",
    "tools",
    type=click.Choice(["full", "connector"]),
    default="full",
    show_default=True,
    help="All tools, or the two (search, fetch) that some hosted clients require.",
)
@click.option("--reranker", metavar="NAME", help="Rerank with maxsim, fastembed, ...")
@click.option("--reranker-model", metavar="MODEL", help="Its model; for maxsim a folder.")
@click.option("--debug", is_flag=True, help="Log whole tracebacks; they may hold document text.")
@click.pass_context
def serve(
    context: click.Context,
    /,
    docs: Path | None,
    index_dir: str | None,
    collection: str | None,
    tools: str,
    reranker: str | None,
    reranker_model: str | None,
    *,
    watch: bool,
    debug: bool,
    **over_http: Any,
) -> None:
    """Serve MCP on standard input and output, until the client goes; or with --http, MCP and REST.

    Over HTTP it listens on loopback. An address that others can reach needs --allow-remote and
    configured authentication.
    """
    from groundkit_core.settings import load_settings

    if watch and docs is None:
        raise click.UsageError("--watch needs --docs PATH.")
    settings = load_settings(
        index_dir=index_dir,
        collection=collection,
        reranker=reranker,
        reranker_model=reranker_model,
    )
    _check_reranker(settings)
    parent = context.parent
    debug = debug or bool(parent and parent.params.get("debug"))
    if over_http.pop("http"):
        _serve_http(settings, docs=docs, watch=watch, debug=debug, tools=tools, **over_http)
    else:
        _check_no_http_options(context, over_http)
        _serve_stdio(settings, docs=docs, watch=watch, debug=debug, tools=tools)
    exit_now(0)


@groundkit_mcp.group()
def token() -> None:
    """Make bearer tokens for serve --http --auth-tokens FILE."""


@token.command("new")
@click.option("--subject", required=True, metavar="S", help="Whom the token stands for.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(("read", "search", "metrics")),
    help="What it may be used for; may be repeated [default: read and search].",
)
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Add the lines to this file instead of printing them.",
)
def new(subject: str, scopes: tuple[str, ...], file: Path | None) -> None:
    """Print a fresh token, once, and the lines of --auth-tokens; they hold only its hash."""
    from groundkit_mcp.auth.static import add_lines, new_token

    try:
        made, lines = new_token(subject, scopes or ("read", "search"))
    except ValueError as error:
        raise click.UsageError(f"--subject: {error}.") from None
    if file is not None:
        add_lines(file, lines)
    click.echo(made)
    if file is None:
        click.echo(f"\n{lines}", nl=False)


@groundkit_mcp.command()
@click.option("--client", type=click.Choice(CLIENTS), required=True, help="Who will start it.")
@_docs
@_index_dir
@_collection
def config(client: str, docs: Path | None, index_dir: str | None, collection: str | None) -> None:
    """Print the snippet to paste into an MCP client's configuration."""
    from groundkit_core.settings import load_settings

    settings = load_settings(index_dir=index_dir, collection=collection)
    if docs is not None and not docs.expanduser().exists():
        raise click.ClickException(f"no folder {str(docs)!r}; give the one to index with --docs")
    found = snippet(
        client,
        docs=docs.expanduser() if docs else None,
        index_dir=settings.index_dir.expanduser(),
        collection=collection,
    )
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command and exit: 0 done, 1 failed, 2 usage, 130 interrupted."""
    arguments = sys.argv[1:] if args is None else args
    try:
        groundkit_mcp.main(arguments, prog_name="groundkit-mcp", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(_USAGE)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "groundkit-mcp"
        _fail(f"{error.format_message()} Try '{where} --help'.", _USAGE)
    except click.ClickException as error:
        _fail(error.format_message(), _FAILED)
    except (click.Abort, KeyboardInterrupt):
        _fail("interrupted", _INTERRUPTED)
    except Exception as error:
        if "--debug" in arguments:
            raise
        _fail(_message(error), _code(error))
    sys.exit(0)


def _check_reranker(settings: Settings) -> None:
    """Fail now rather than at the first search; nothing is imported where none is configured."""
    if settings.reranker:
        from groundkit_retrieval.opening import reranker_of

        reranker_of(settings)


def _serve_stdio(settings: Settings, **options: Any) -> None:
    from groundkit_mcp.stdio import serve_stdio

    _check_streams()
    serve_stdio(settings, **options)


def _serve_http(settings: Settings, **options: Any) -> None:
    from groundkit_mcp.auth.settings import AuthSettings
    from groundkit_mcp.http.serving import serve_http

    given = {name: options.pop(f"auth_{name}") for name in ("tokens", "keys", "issuer", "audience")}
    serve_http(settings, auth=AuthSettings(**given), **options)


def _check_no_http_options(context: click.Context, options: dict[str, Any]) -> None:
    """Refuse options that would change nothing; variables may be set for another command."""
    flag = click.core.ParameterSource.COMMANDLINE
    if any(context.get_parameter_source(name) is flag for name in options):
        raise click.UsageError("--host, --port, --allow-*, --auth-* and --log-format need --http.")


def _check_streams() -> None:
    if sys.stdin is None or sys.stdout is None:
        raise click.ClickException("standard input and output must be open to serve MCP on them")
    if sys.stderr is None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace")
    if sys.stdin.isatty():
        click.echo("groundkit-mcp: waiting for an MCP client on standard input", err=True)


def _message(error: Exception) -> str:
    from groundkit_core.errors import GroundkitError

    if isinstance(error, GroundkitError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}; check the path and its permissions, or use --debug"
    return f"unexpected {type(error).__name__}; run with 'groundkit-mcp --debug' and report it"


def _code(error: Exception) -> int:
    from groundkit_core.errors import RequestError, SettingsError

    return _USAGE if isinstance(error, (RequestError, SettingsError)) else _FAILED


def _fail(message: str, code: int) -> NoReturn:
    click.echo(f"groundkit-mcp: {' '.join(message.split())}", err=True)
    sys.exit(code)
