"""The ``plyhouse`` command and its list of subcommands.

The command ``x`` is ``commands.x.x``: a function, or a typer application if it has commands of its own. Its module is
imported only when the command is used, so that ``plyhouse uhp`` starts without loading the server: the viewer that
starts it is waiting.
"""

from importlib import import_module
from importlib.metadata import version
from typing import Annotated, cast

import typer
from typer.core import TyperCommand, TyperGroup

COMMANDS = (
    "serve", "worker", "engine", "uhp", "bot", "analyze", "arena", "models", "train", "book", "perft", "prune",
    "games",
)  # fmt: skip
"""In the order of ``--help``."""


class Commands(TyperGroup):
    """The commands, each loaded when it is used."""

    def list_commands(self, ctx: object) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: object, cmd_name: str) -> TyperCommand | None:
        """The command with this name; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        function = getattr(import_module(f"commands.{cmd_name}"), cmd_name)
        if isinstance(function, typer.Typer):
            return cast("TyperCommand", typer.main.get_command(function))
        alone = typer.Typer(add_completion=False)
        alone.command(cmd_name)(function)
        # For a single function this returns a command, although the type allows a group.
        return cast("TyperCommand", typer.main.get_command(alone))


app = typer.Typer(name="plyhouse", cls=Commands, no_args_is_help=True, add_completion=False)


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
    """A server for board games and their engines: play, serve, search and measure."""
