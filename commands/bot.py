"""``plyhouse bot``: attaches engines to a server as bots; reconnects and restarts them as needed."""

import asyncio
import logging.config
import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.failure import failing
from commands.signals import run_until_signal
from protocols.dialects import game_named

if TYPE_CHECKING:
    from programs.bot.config import BotConfig

MOST_RETRIES = 10
"""As in ``protocols.bgs.attach``, which is imported only when the command runs."""


def bot(
    server: Annotated[str | None, typer.Option(help="Address of the server: http(s) or ws(s).")] = None,
    config: Annotated[
        Path | None, typer.Option(help="File with bots, engineCommands and optionally the server.")
    ] = None,
    engine: Annotated[
        str | None, typer.Option(help="Command of one engine that speaks the V3 protocol.")
    ] = None,
    uhp: Annotated[
        str | None, typer.Option(help="Command of one Hive engine that speaks UHP, or tcp:host:port.")
    ] = None,
    pyrat: Annotated[str | None, typer.Option(help="Command of one bot of PyRat's text protocol.")] = None,
    pyrat_host: Annotated[
        str | None, typer.Option(help="Folder of one bot of PyRat's host protocol, with its bot.toml.")
    ] = None,
    seconds: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=8,
            help="Seconds per move of the UHP engine (default: 2) or the PyRat bot (default: 1).",
        ),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=64, help="Number of UHP engines: moves at once.  \\[default: 1]")
    ] = None,
    username: Annotated[
        str | None, typer.Option(help="The only user who sees the bot.  \\[default: everybody]")
    ] = None,
    game: Annotated[
        str | None, typer.Option(help=f"Game that --engine plays.  \\[default: {game_named(None)}]")
    ] = None,
    timed: Annotated[
        bool, typer.Option("--timed", help="The engine of --engine also plays games with a clock.")
    ] = False,
    ready: Annotated[
        float | None,
        typer.Option(min=0.1, max=86_400, help="Seconds that an engine may take to load.  \\[default: 60]"),
    ] = None,
    client_id: Annotated[
        str | None, typer.Option(help="Name of this client.  \\[default: the host's name]")
    ] = None,
    secret_file: Annotated[
        Path | None, typer.Option(help="File to keep this client's secret in between runs.")
    ] = None,
    official_token: Annotated[str | None, typer.Option(help="The server's secret for official bots.")] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Play rated games against other bots.")] = False,
    version: Annotated[
        str | None, typer.Option(help="Version of the bot: another one is rated as another player.")
    ] = None,
    analyses: Annotated[
        bool, typer.Option("--analyses", help="Analyse positions for anybody on the analysis board.")
    ] = False,
    no_tournaments: Annotated[
        bool, typer.Option("--no-tournaments", help="Let nobody enter the bot in a tournament.")
    ] = False,
    retries: Annotated[
        int | None,
        typer.Option(
            min=0, max=MOST_RETRIES, help="Further tries of the bot after an illegal move.  \\[default: 0]"
        ),
    ] = None,
) -> None:
    """Attach engines to a server as bots. Reconnects forever, and restarts engines that exit."""
    from programs.bot.client import GivenUpError
    from programs.bot.config import BotConfigError, ClientIdentity, of_engine, of_file, of_program
    from programs.kinds import program_of_option
    from programs.seat_programs import UnsuitableProgram

    programs = {"--uhp": uhp, "--pyrat": pyrat, "--pyrat-host": pyrat_host}
    program = next(((option, command) for option, command in programs.items() if command is not None), None)
    if sum(source is not None for source in (config, engine, *programs.values())) != 1:
        raise typer.BadParameter("give either --config, --engine, --uhp, --pyrat or --pyrat-host")
    _refuse(game is not None and engine is None, "--game goes with --engine: a file says what each bot plays")
    why = "--timed goes with --engine: a file says it of each bot, and others always are"
    _refuse(timed and engine is None, why)
    why = "a file says who sees each bot: --username goes with --engine or --uhp"
    _refuse(username is not None and config is not None, why)
    _refuse(processes is not None and uhp is None, "--processes goes with --uhp")
    _refuse(seconds is not None and program is None, "--seconds goes with --uhp, --pyrat and --pyrat-host")
    _refuse(
        ladder and config is not None, "a file says which bots play on the ladder, with the member ladder"
    )
    _refuse(
        analyses and config is not None, "a file says which bots analyse positions, with the member analyses"
    )
    why = "a file says which bots play in tournaments, with the member tournaments"
    _refuse(no_tournaments and config is not None, why)
    why = "a file says how often each bot tries again, with the member retries"
    _refuse(retries is not None and config is not None, why)
    _refuse(version is not None and not ladder, "--version goes with --ladder")
    name = client_id or socket.gethostname().replace(":", "-")
    identity = ClientIdentity(
        name,
        official_token or None,
        username or None,
        ladder,
        version,
        analyses,
        not no_tournaments,
        retries or 0,
    )
    with failing("bot", BotConfigError, GivenUpError, UnsuitableProgram, OSError):
        if config is not None:
            wanted = of_file(config, server, identity)
        elif server is None:
            raise typer.BadParameter("--engine, --uhp, --pyrat and --pyrat-host need --server")
        elif program is not None:
            given = {"--seconds": seconds, "--processes": processes}
            settings = [word for option, value in given.items() if value for word in (option, str(value))]
            wanted = of_program(program_of_option(*program), (*program, *settings), server, identity)
        else:
            wanted = of_engine(engine or "", server, identity, game, is_timed=timed)
        if ready is not None:
            wanted = replace(wanted, ready_seconds=ready)
        asyncio.run(_run(wanted, secret_file))


def _refuse(is_wrong: bool, why: str) -> None:
    if is_wrong:
        raise typer.BadParameter(why)


async def _run(config: "BotConfig", secret_file: Path | None) -> None:
    from commands.logs import CLIENT_LINE, configuration
    from programs.bot.client import BotProgram
    from programs.bot.secret import SecretFile

    secrets = None if secret_file is None else SecretFile(secret_file, config.url, config.attach.client_id)
    logging.config.dictConfig(configuration(CLIENT_LINE))
    await run_until_signal(BotProgram(config, secrets).run())
