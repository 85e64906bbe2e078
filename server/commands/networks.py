"""Options for networks that several commands share, and the loading of networks for commands."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from server.commands.failure import fail

if TYPE_CHECKING:
    from engines.inference import Model
    from engines.onnx_model import OnnxModel

ModelOption = Annotated[
    list[Path] | None,
    typer.Option(
        help="Network, or folder of networks; may be repeated (default: those that come with Plyhouse)."
    ),
]
ProviderOption = Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="Where networks compute.")]
CacheOption = Annotated[int, typer.Option(min=0, help="Evaluations kept for each network.")]


def load_or_exit(
    command: str, places: Sequence[Path], provider: Literal["auto", "cpu", "cuda"], threads: int | None = None
) -> "list[OnnxModel]":
    """Loads the networks; if one cannot be used, prints the error and exits with status 1."""
    from engines import networks
    from engines.inference import ModelError

    try:
        return networks.load(networks.find(places), provider, threads)
    except ModelError as error:
        fail(command, error)


def announce(models: "Sequence[Model]", provider: Literal["auto", "cpu", "cuda"]) -> None:
    """Prints to stderr which networks will be used, and on which device."""
    from engines import networks

    for line in networks.announce(models, provider):
        typer.echo(line, err=True)
