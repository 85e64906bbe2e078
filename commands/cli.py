"""The ``plyhouse`` command and its list of subcommands.

The command ``x`` is ``commands.x.x``: a function, or a typer application if it has commands of its own. Its module is
imported only when the command is used, so that ``plyhouse uhp`` starts without loading the server, as the viewer that
starts it is waiting, and ``plyhouse --help`` loads none of them.
"""

from importlib import import_module
from typing import Annotated, cast

import typer
from typer import Context
from typer.core import TyperCommand, TyperGroup

COMMANDS = {
    "serve": "Serve games, bots and analysis over HTTP and WebSockets. Every option is also a PLYHOUSE_ variable.",
    "worker": "Search for servers. The options but --server and --threads are also variables, as for the server.",
    "engine": "Answer V3 bot requests on stdin with JSON lines on stdout, or play one seat in another protocol.",
    "uhp": "Play Hive as a UHP 1.0 engine on stdin and stdout, or at a server.",
    "mcp": "Let a language model play at a server: tools over MCP on stdin and stdout. Needs the extra mcp.",
    "bot": "Attach engines to a server as bots. Reconnects forever, and restarts engines that exit.",
    "check": "Check whether a bot or an engine follows its protocol, and show what it does wrong.",
    "analyze": "Evaluate every position of a recorded game: best moves, losses, and the accuracy of each seat.",
    "arena": "Play bots against each other and print scores, points and Elo ratings with their 95 % intervals.",
    "tournament": "Play a round robin, a Swiss tournament or a gauntlet of bots, and print its cross table.",
    "ladder": "Print the ratings of bots on the ladder, or make them again from the games.",
    "models": "Check and describe networks, and measure how many positions a second they evaluate here.",
    "train": "Train a network by self-play: games, fitting, export and matches, in generations.",
    "book": "Write an opening book: the likeliest positions from the start on, each searched deeply.",
    "openings": "Make balanced openings for matches between bots, as a file for plyhouse arena --openings.",
    "explorer": "Count the openings of finished games again, or play games whose openings the explorer shows.",
    "puzzles": "Find puzzles, positions with one best move, in games of a server or of the search against itself.",
    "perft": "Count the leaves of the action tree at each depth, and the speed of counting.",
    "prune": "Delete old games that have ended. Without a limit, the ages of PLYHOUSE_PRUNE_..._DAYS apply.",
    "games": "Show, export, delete, archive and restore games, and rename players.",
}
"""What ``--help`` says of each, in its order: the first lines of their own descriptions."""


class Commands(TyperGroup):
    """The commands, each loaded when it is used; until then only its name and summary are known."""

    def list_commands(self, ctx: object) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: object, cmd_name: str) -> TyperCommand | None:
        """The summary of the command with this name; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name])

    def resolve_command(
        self, ctx: object, args: list[str]
    ) -> tuple[str | None, TyperCommand | None, list[str]]:
        """The command to run, and its arguments."""
        name, summary, rest = super().resolve_command(cast("Context", ctx), args)
        return name, load(name) if name and summary else None, rest


def load(name: str) -> TyperCommand:
    """Imports one of the commands."""
    function = getattr(import_module(f"commands.{name}"), name)
    if isinstance(function, typer.Typer):
        return cast("TyperCommand", typer.main.get_command(function))
    alone = typer.Typer(add_completion=False)
    alone.command(name)(function)
    # For a single function this returns a command, although the type allows a group.
    return cast("TyperCommand", typer.main.get_command(alone))


app = typer.Typer(name="plyhouse", cls=Commands, no_args_is_help=True, add_completion=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        metadata = import_module("importlib.metadata")
        typer.echo(f"plyhouse {metadata.version('plyhouse')}")
        raise typer.Exit


@app.callback()
def main(
    show_version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """A server for board games and their engines: play, serve, search and measure."""
