"""Options for networks that several commands share, and the loading of networks for commands."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from commands.failure import failing

if TYPE_CHECKING:
    from engines.inference import Model
    from engines.onnx_model import OnnxModel

Provider = Literal["auto", "cpu", "cuda"]

DEFAULT_MODELS = "PLYHOUSE_MODELS"
"""The variable with the network or the folder to use where a command is given none, as in the server's settings."""

ModelOption = Annotated[
    list[Path] | None,
    typer.Option(
        help="Network, or folder of networks; may be repeated; none for no network (default: those that come with "
        "Plyhouse)."
    ),
]
ProviderOption = Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="Where networks compute.")]
CacheOption = Annotated[int, typer.Option(min=0, help="Evaluations kept for each network.")]


def load_or_exit(
    command: str, places: Sequence[Path], provider: Provider, threads: int | None = None
) -> "list[OnnxModel]":
    """Loads the networks; if one cannot be used, prints the error and exits with status 1."""
    from engines import networks
    from engines.inference import ModelError

    with failing(command, ModelError):
        return networks.load(networks.find(places or _default_places()), provider, threads)


def load_available_or_exit(
    command: str, places: Sequence[Path], provider: Provider, threads: int | None = None
) -> "list[OnnxModel]":
    """The same for commands that can do without: a missing ONNX Runtime is an error only if networks were given."""
    from engines import networks
    from engines.inference import ModelError

    with failing(command, ModelError):
        return networks.load_available(places or _default_places(), provider, threads)


def _default_places() -> list[Path]:
    return [Path(place) for place in [os.environ.get(DEFAULT_MODELS)] if place]


def announce(models: "Sequence[Model]", provider: Provider) -> None:
    """Prints to stderr which networks will be used, and on which device."""
    from engines import networks

    for line in networks.announce(models, provider):
        typer.echo(line, err=True)
