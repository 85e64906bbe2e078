"""``plyhouse models``: lists networks, the games they fit, and their speed on this machine."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.commands.networks import ProviderOption, load_or_exit

if TYPE_CHECKING:
    from engines.onnx_model import OnnxModel


def models(
    places: Annotated[
        list[Path] | None,
        typer.Argument(help="Networks and folders of networks (default: those that come with Plyhouse)."),
    ] = None,
    provider: ProviderOption = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False,
) -> None:
    """Check and describe networks, and measure how many positions a second they evaluate here."""
    from engines import networks

    loaded = load_or_exit("models", places or (), provider)
    for line in networks.lacking(loaded, provider):
        typer.echo(line, err=True)
    described = list(_measure(loaded))
    if as_json:
        typer.echo(json.dumps(described))
    elif not described:
        typer.echo("no networks: searches use the native evaluators (docs/models.md)")
    else:
        typer.echo("\n\n".join(_text(model) for model in described))


def _measure(loaded: "list[OnnxModel]") -> Iterator[dict[str, Any]]:
    """The descriptions, with a progress bar on a terminal, because large networks take seconds."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    for model in track(loaded, "measuring", console=console, transient=True, disable=not console.is_terminal):
        yield _describe(model)


def _describe(model: "OnnxModel") -> dict[str, Any]:
    from engines import networks

    shape = model.signature
    rows = model.capacity(networks.BENCH_ROWS)
    return {
        "name": model.name,
        "file": str(model.path),
        "planes": shape.planes,
        "columns": shape.dim2,
        "rows": shape.dim3,
        "policy": shape.policy,
        "batch": model.batch,
        "games": networks.fitting(shape),
        "provider": model.provider,
        "evaluationsPerSecond": round(networks.speed(model, rows, model.workers)),
        "evaluationsPerSecondAlone": round(networks.speed(model, min(rows, networks.LONE_ROWS), 1)),
    }


def _text(model: dict[str, Any]) -> str:
    batch = "any batch" if model["batch"] is None else f"always a batch of {model['batch']}"
    speed = f"{model['evaluationsPerSecond']:,} evaluations/s"
    alone = f"{model['evaluationsPerSecondAlone']:,} for a single session"
    return "\n".join(
        (
            f"{model['name']}: {', '.join(model['games'])}, on boards up to {model['columns']}x{model['rows']}",
            f"  {model['file']}: {model['planes']} planes, policy of {model['policy']}, {batch}",
            f"  on {model['provider']}: {speed}, {alone}",
        )
    )
