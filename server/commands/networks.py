"""Options about networks that several commands share, and how these commands load them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from engines.inference import Model
    from engines.onnx_model import OnnxModel

ModelOption = Annotated[
    list[Path] | None,
    typer.Option(help="Network, or folder of networks; may be repeated (default: those that are shipped)."),
]
ProviderOption = Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="Where networks compute.")]
CacheOption = Annotated[int, typer.Option(min=0, help="Evaluations kept for each network.")]


def load_or_exit(
    command: str, places: Sequence[Path], provider: Literal["auto", "cpu", "cuda"], threads: int | None = None
) -> "list[OnnxModel]":
    """The networks at these places; what is wrong with one of them ends the command with 1."""
    from engines import networks
    from engines.inference import ModelError

    try:
        return networks.load(networks.find(places), provider, threads)
    except ModelError as error:
        typer.echo(f"plyhouse {command}: {error}", err=True)
        raise typer.Exit(1) from None


def announce(models: "Sequence[Model]", provider: Literal["auto", "cpu", "cuda"]) -> None:
    """Says on stderr who will evaluate, and where."""
    from engines import networks

    for line in networks.announce(models, provider):
        typer.echo(line, err=True)
