"""The ``plyhouse`` command: says which commands exist, and nothing else.

Each command lives in a module of ``server.commands`` and is registered here explicitly, in the order of
``--help``.
"""

from importlib.metadata import version
from typing import Annotated

import typer

from server.commands.analyze import analyze
from server.commands.arena import arena
from server.commands.bot import bot
from server.commands.engine import engine
from server.commands.models import models
from server.commands.perft import perft
from server.commands.serve import serve

app = typer.Typer(name="plyhouse", no_args_is_help=True, add_completion=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"plyhouse {version('plyhouse')}")
        raise typer.Exit


@app.callback()
def main(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """A house for board game engines: play, serve, search and measure."""


app.command()(serve)
app.command()(engine)
app.command()(bot)
app.command()(analyze)
app.command()(arena)
app.command()(models)
app.command()(perft)
