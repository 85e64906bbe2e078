"""``plyhouse worker``: searches for servers that use the same Redis, and opens no port."""

import asyncio
import logging.config
import signal
from contextlib import suppress
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
    check_redis_or_exit,
    models_or_exit,
)
from commands.failure import fail, settings_or_exit
from commands.networks import announce

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engines.inference import Model
    from server.settings import Settings


def worker(
    redis: Annotated[
        str | None, typer.Option(help="Redis of the servers, such as redis://host:6379.  \\[required]")
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
    """Search for the servers on a Redis. Every option but --threads is also a PLYHOUSE_ variable."""
    given = {
        "redis": redis,
        "sessions": sessions,
        "batch_size": batch_size,
        "models": models,
        "provider": provider,
        "cache_size": cache_size,
        "book": book,
        "ponder": ponder,
    }
    settings = settings_or_exit("worker", {name: value for name, value in given.items() if value is not None})
    if settings.redis is None:
        fail("worker", "needs --redis URL, the Redis of the servers")
    loaded = models_or_exit("worker", settings)
    check_redis_or_exit("worker", settings.redis)
    announce(loaded, settings.provider)
    asyncio.run(_run(settings, settings.redis, loaded, threads))


async def _run(settings: "Settings", redis: str, models: "Sequence[Model]", threads: int | None) -> None:
    """Works until a signal arrives."""
    from commands.logs import configuration
    from engines.pool.memory import return_big_blocks
    from server.analysts.worker import SearchWorker
    from server.engine_services import evaluators_of, open_pool
    from server.model_reload import ModelReload

    return_big_blocks()
    logging.config.dictConfig(configuration())
    with open_pool(settings, models, threads=threads) as pool:
        one = SearchWorker(redis, pool, lambda: evaluators_of(pool), settings.worker_lease_seconds)
        evaluators = ", ".join(evaluators_of(pool))
        typer.echo(f"Plyhouse worker: {settings.sessions} sessions, evaluators {evaluators}")
        task = asyncio.ensure_future(one.run())
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        reload = ModelReload(settings, pool, task.cancel)
        reload.start()
        with suppress(asyncio.CancelledError):
            await task
        await reload.stop()
