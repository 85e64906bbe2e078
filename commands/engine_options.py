"""The options of the engine pool that ``plyhouse serve`` and ``plyhouse worker`` share; each is also a setting."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commands.failure import failing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engines.inference import Model
    from server.settings import Settings

SessionsOption = Annotated[int | None, typer.Option(help="Engine sessions at once.  \\[default: 256]")]
BatchSizeOption = Annotated[
    int | None, typer.Option(help="Leaves that an evaluator evaluates at once.  \\[default: 256]")
]
ModelsOption = Annotated[
    Path | None,
    typer.Option(
        help="Network, or folder of networks; none for no network.  \\[default: those that come with Plyhouse]"
    ),
]
ProviderOption = Annotated[
    str | None, typer.Option(help="Device for networks: auto, cpu or cuda.  \\[default: auto]")
]
CacheSizeOption = Annotated[
    int | None, typer.Option(help="Evaluations kept for each network.  \\[default: 100000]")
]
BookOption = Annotated[
    Path | None, typer.Option(help="Opening book, used instead of a search.  \\[default: none]")
]
PonderOption = Annotated[
    int | None, typer.Option(help="Simulations while a bot waits for its opponent.  \\[default: 0]")
]


def models_or_exit(command: str, settings: "Settings") -> "Sequence[Model]":
    """Loads the networks and checks the opening book; prints the error and exits if one cannot be used."""
    from engines.book import BadBook, read_book
    from engines.inference import ModelError
    from server.engine_services import load_models

    with failing(command, BadBook, ModelError):
        if settings.book is not None:
            read_book(settings.book)
        return load_models(settings)


def check_redis_or_exit(command: str, url: str) -> None:
    """Prints the error and exits if Redis does not answer."""
    import asyncio

    from server.bus.medium import BusUnreachableError
    from server.bus.redis_medium import check

    with failing(command, BusUnreachableError):
        asyncio.run(check(url))
