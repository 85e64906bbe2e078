"""The ``plyhouse`` command: says which commands exist, and nothing else.

Each command is the function of its name in the module of its name in ``server.commands``. That module is imported
when the command is asked for: a viewer that starts ``plyhouse uhp`` waits for it, and needs no server.
"""

from importlib import import_module
from importlib.metadata import version
from typing import Annotated, cast

import typer
from typer.core import TyperCommand, TyperGroup

COMMANDS = ("serve", "engine", "uhp", "bot", "analyze", "arena", "models", "perft")
"""In the order of ``--help``."""


class Commands(TyperGroup):
    """The commands, loaded one by one."""

    def list_commands(self, ctx: object) -> list[str]:
        """Their names."""
        return list(COMMANDS)

    def get_command(self, ctx: object, cmd_name: str) -> TyperCommand | None:
        """The command of this name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        function = getattr(import_module(f"server.commands.{cmd_name}"), cmd_name)
        alone = typer.Typer(add_completion=False)
        alone.command(cmd_name)(function)
        # A Typer of one function is that command; its type says only that it may be a group.
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
    """A house for board game engines: play, serve, search and measure."""
