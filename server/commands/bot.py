"""``plyhouse bot``: attaches engines to a server as bots, and keeps both alive."""

import asyncio
import logging
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
    game: Annotated[str | None, typer.Option(help="Game that --engine plays.  \\[default: wallwars]")] = None,
    client_id: Annotated[
        str | None, typer.Option(help="Name of this client.  \\[default: the host's name]")
    ] = None,
    official_token: Annotated[str | None, typer.Option(help="The server's secret for official bots.")] = None,
) -> None:
    """Attach engines to a server as bots. Reconnects for ever, and restarts an engine that exits."""
    from server.adapters.bot_config import ConfigError, Identity, of_engine, of_file
    from server.adapters.bot_program import GivenUpError

    if (config is None) == (engine is None):
        raise typer.BadParameter("give either --config or --engine")
    if game is not None and engine is None:
        raise typer.BadParameter("--game goes with --engine: a file says what each bot plays")
    identity = Identity(client_id or socket.gethostname().replace(":", "-"), official_token or None)
    try:
        if config is not None:
            wanted = of_file(config, server, identity)
        elif server is None:
            raise typer.BadParameter("--engine needs --server")
        else:
            wanted = of_engine(engine or "", server, identity, game)
        asyncio.run(_run(wanted))
    except (ConfigError, GivenUpError, OSError) as error:
        typer.echo(f"plyhouse bot: {error}", err=True)
        raise typer.Exit(1) from None


async def _run(config: "BotConfig") -> None:
    from server.adapters.bot_program import BotProgram
    from server.logs import OneLine

    to_stderr = logging.StreamHandler()
    to_stderr.setFormatter(OneLine("%(asctime)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[to_stderr])
    work = asyncio.ensure_future(BotProgram(config).run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, work.cancel)
    await asyncio.wait([work])
    if not work.cancelled():
        work.result()
