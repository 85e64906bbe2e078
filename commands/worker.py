"""``plyhouse worker``: searches for servers, to which it attaches as a client; opens no port."""

import asyncio
import logging.config
import secrets
import socket
from typing import TYPE_CHECKING, Annotated

import typer

from commands.engine_options import (
    BatchSizeOption,
    BookOption,
    CacheSizeOption,
    ModelsOption,
    PonderOption,
    ProviderOption,
    SessionsOption,
    models_or_exit,
)
from commands.failure import fail, failing, settings_or_exit
from commands.networks import announce

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engines.inference import Model
    from server.settings import Settings


def worker(
    server: Annotated[
        list[str] | None,
        typer.Option(help="Address of a server: http(s) or ws(s); may be repeated.  \\[required]"),
    ] = None,
    official_bot_token: Annotated[
        str | None,
        typer.Option(
            "--official-token",
            help="The servers' secret for official bots, their OFFICIAL_BOT_TOKEN.  \\[required]",
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Search threads.  \\[default: one per core]")
    ] = None,
    sessions: SessionsOption = None,
    batch_size: BatchSizeOption = None,
    models: ModelsOption = None,
    provider: ProviderOption = None,
    cache_size: CacheSizeOption = None,
    book: BookOption = None,
    ponder: PonderOption = None,
) -> None:
    """Search for servers. The options but --server and --threads are also variables, as for the server."""
    settings = settings_or_exit("worker", locals())
    from programs.bot.client import GivenUpError
    from programs.bot.config import BotConfigError, socket_url

    if not server:
        fail("worker", "needs --server URL, the address of a server")
    if not settings.official_bot_token:
        fail("worker", "needs --official-token TOKEN, the server's OFFICIAL_BOT_TOKEN")
    with failing("worker", BotConfigError, GivenUpError):
        urls = [socket_url(address) for address in server]
        loaded = models_or_exit("worker", settings)
        announce(loaded, settings.provider)
        asyncio.run(_run(settings, urls, settings.official_bot_token, loaded, threads))


async def _run(
    settings: "Settings", urls: "Sequence[str]", token: str, models: "Sequence[Model]", threads: int | None
) -> None:
    """Works until a signal arrives."""
    from functools import partial

    from commands.logs import configuration
    from commands.signals import run_until_signal
    from drivers.model_reload import ModelReload
    from engines.pool.memory import return_big_blocks
    from programs.worker.program import attachment, work
    from server.engine_services import evaluators_of, open_pool, reload_models

    return_big_blocks()
    logging.config.dictConfig(configuration())
    with open_pool(settings, models, threads=threads) as pool:
        name = f"worker-{socket.gethostname().replace(':', '-')[:40]}-{secrets.token_hex(4)}"
        working = asyncio.ensure_future(work(pool, urls, attachment(pool, name, token)))
        evaluators = ", ".join(evaluators_of(pool))
        typer.echo(f"Plyhouse worker: {settings.sessions} sessions, evaluators {evaluators}")
        reload = ModelReload(pool, partial(reload_models, settings), settings.provider, working.cancel)
        reload.start()
        try:
            await run_until_signal(working)
        finally:
            await reload.stop()
