"""``plyhouse bot``: attaches engines to a server as bots, and keeps both alive."""

import asyncio
import logging.config
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from server.adapters.bot_config import BotConfig


def bot(
    server: Annotated[str | None, typer.Option(help="Address of the server: http(s) or ws(s).")] = None,
    config: Annotated[
        Path | None, typer.Option(help="File with bots, engineCommands and perhaps the server.")
    ] = None,
    engine: Annotated[
        str | None, typer.Option(help="Command of one engine that speaks the V3 protocol.")
    ] = None,
    uhp: Annotated[
        str | None, typer.Option(help="Command of one Hive engine that speaks UHP, or tcp:host:port.")
    ] = None,
    seconds: Annotated[
        int | None, typer.Option(min=1, max=8, help="Time of the UHP engine for a move.  \\[default: 2]")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=64, help="UHP engines, so moves at once.  \\[default: 1]")
    ] = None,
    username: Annotated[
        str | None, typer.Option(help="Who alone sees the bot.  \\[default: everybody does]")
    ] = None,
    game: Annotated[str | None, typer.Option(help="Game that --engine plays.  \\[default: wallwars]")] = None,
    client_id: Annotated[
        str | None, typer.Option(help="Name of this client.  \\[default: the host's name]")
    ] = None,
    secret_file: Annotated[
        Path | None, typer.Option(help="File that keeps this client's secret when it stops.")
    ] = None,
    official_token: Annotated[str | None, typer.Option(help="The server's secret for official bots.")] = None,
) -> None:
    """Attach engines to a server as bots. Reconnects for ever, and restarts an engine that exits."""
    from server.adapters.bot_config import ConfigError, Identity, of_engine, of_file, of_uhp
    from server.adapters.bot_program import GivenUpError

    if sum(source is not None for source in (config, engine, uhp)) != 1:
        raise typer.BadParameter("give either --config, --engine or --uhp")
    if game is not None and engine is None:
        raise typer.BadParameter("--game goes with --engine: a file says what each bot plays")
    _check_who_sees(username, config)
    settings = _settings_of_uhp(uhp, seconds, processes)
    name = client_id or socket.gethostname().replace(":", "-")
    identity = Identity(name, official_token or None, username or None)
    try:
        if config is not None:
            wanted = of_file(config, server, identity)
        elif server is None:
            raise typer.BadParameter("--engine and --uhp need --server")
        elif uhp is not None:
            wanted = of_uhp(uhp, server, identity, settings)
        else:
            wanted = of_engine(engine or "", server, identity, game)
        asyncio.run(_run(wanted, secret_file))
    except (ConfigError, GivenUpError, OSError) as error:
        typer.echo(f"plyhouse bot: {error}", err=True)
        raise typer.Exit(1) from None


def _settings_of_uhp(uhp: str | None, seconds: int | None, processes: int | None) -> list[str]:
    """The options of ``plyhouse engine`` that say the same."""
    settings: list[str] = []
    for option, value in (("--seconds", seconds), ("--processes", processes)):
        if value is not None:
            settings += [option, str(value)]
    if settings and uhp is None:
        raise typer.BadParameter(f"{settings[0]} goes with --uhp")
    return settings


def _check_who_sees(username: str | None, config: Path | None) -> None:
    if username is not None and config is not None:
        raise typer.BadParameter("a file says who sees each bot: --username goes with --engine or --uhp")


async def _run(config: "BotConfig", secret_file: Path | None) -> None:
    from server.adapters.bot_program import BotProgram
    from server.adapters.bot_secret import SecretFile
    from server.logs import CLIENT_LINE, configuration

    secrets = None if secret_file is None else SecretFile(secret_file, config.url, config.attach.client_id)
    logging.config.dictConfig(configuration(CLIENT_LINE))
    work = asyncio.ensure_future(BotProgram(config, secrets).run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, work.cancel)
    await asyncio.wait([work])
    if not work.cancelled():
        work.result()
