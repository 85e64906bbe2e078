"""``plyhouse check``: tells the author of a bot or an engine whether it follows its protocol, and if not, where."""

import asyncio
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from commands.failure import misused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from programs.check.findings import Finding
    from programs.check.kinds import CheckOrder


def check(
    kind: Annotated[
        str, typer.Argument(help="v3 (a client of servers), engine (V3 in lines), uhp, pyrat or pyrat-host.")
    ],
    command: Annotated[
        list[str] | None,
        typer.Argument(help="The program and its arguments, after --. Of a host bot: its folder."),
    ] = None,
    game: Annotated[str | None, typer.Option(help="Game that an engine plays.")] = None,
    listen: Annotated[
        bool,
        typer.Option("--listen", help="Wait for a client that you start yourself, instead of a command."),
    ] = False,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port for clients.  \\[default: any free one]")
    ] = None,
    thorough: Annotated[
        bool,
        typer.Option(
            "--thorough", help="Try more of everything, for up to 20 minutes instead of 30 seconds."
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Check whether a bot or an engine follows its protocol, and show what it does wrong."""
    from programs.check.kinds import CLIENT, ENGINE, CheckOrder, kind_names
    from programs.check.report import as_json as written
    from programs.check.report import print_findings
    from programs.check.steps import THOROUGH, Effort, is_sound

    _refuse(kind not in kind_names(), f"there is no protocol {kind!r}, only {', '.join(kind_names())}")
    _refuse(game is not None and kind != ENGINE, f"--game goes with {ENGINE}")
    _refuse((listen or port is not None) and kind != CLIENT, f"--listen and --port go with {CLIENT}")
    _refuse(listen and bool(command), "give a command or --listen, not both")
    _refuse(not listen and not command, "give the program's command after --")
    effort = THOROUGH if thorough else Effort()
    words = _words(command or [])
    findings = _findings(kind, CheckOrder(words, effort, game, port or 0, _announcing(listen)))
    program = shlex.join(words) if words else "a client"
    if as_json:
        typer.echo(written(kind, program, findings))
    else:
        from rich.console import Console

        print_findings(Console(), program, findings)
    raise typer.Exit(0 if is_sound(findings) else 1)


def _refuse(is_wrong: bool, why: str) -> None:
    if is_wrong:
        raise typer.BadParameter(why)


def _words(command: list[str]) -> "Sequence[str]":
    """The program and its arguments, also if they were written as one text."""
    from programs.command_text import command_words
    from programs.seat_programs import UnsuitableProgram

    try:
        return command_words(command[0]) if len(command) == 1 else command
    except UnsuitableProgram as error:
        misused("check", error)


def _announcing(is_wanted: bool) -> "Callable[[str], None]":
    """What prints the address of the server, if the user has to know it."""

    def announce(url: str) -> None:
        if is_wanted:
            typer.echo(f"Start your client now, within five minutes. The server is at {url}", err=True)

    return announce


def _findings(kind: str, order: "CheckOrder") -> "Sequence[Finding]":
    """Runs the check. Exits with status 2 if the program does not start."""
    from rich.console import Console

    from programs.bot.config import BotConfigError
    from programs.check.kinds import check_program
    from programs.check.steps import CannotStart
    from programs.seat_programs import UnsuitableProgram

    try:
        with Console(stderr=True).status("checking"):
            return asyncio.run(check_program(kind, order))
    except (CannotStart, UnsuitableProgram, BotConfigError, OSError) as error:
        misused("check", error)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
