"""``plyhouse models``: lists networks, the games they fit, and their speed on this machine."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.networks import ProviderOption, load_or_exit

if TYPE_CHECKING:
    from engines.model_card import ModelCard
    from engines.onnx_model import OnnxModel


SHOWN_VALUE = 0.5
"""The value whose worth is printed."""

MIDDLE = 0.5
"""The progress of the game for which it is printed."""


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
    from engines.model_card import read_card

    loaded = load_or_exit("models", places or (), provider)
    for line in networks.lacking(loaded, provider):
        typer.echo(line, err=True)
    cards = {model.name: read_card(model.path) for model in loaded}
    described = list(_measure(loaded, cards))
    if as_json:
        typer.echo(json.dumps(described))
    elif not described:
        typer.echo("no networks: searches use the native evaluators (docs/models.md)")
    else:
        typer.echo("\n\n".join(_text(model, cards[model["name"]]) for model in described))


def _measure(loaded: "list[OnnxModel]", cards: "Mapping[str, ModelCard | None]") -> Iterator[dict[str, Any]]:
    """The descriptions, with a progress bar on a terminal, because large networks take seconds."""
    from programs.progress import progress_bars

    with progress_bars() as progress:
        for model in progress.track(loaded, description="measuring"):
            yield _describe(model, cards[model.name])


def _describe(model: "OnnxModel", card: "ModelCard | None") -> dict[str, Any]:
    from engines import networks

    smallest, largest = model.signatures[0], model.signatures[-1]
    games = networks.fitting(model.signature)
    rows = model.capacity(networks.BENCH_ROWS)
    lone_rows = min(rows, networks.LONE_ROWS)
    alone = networks.speed(model, largest, lone_rows, 1)
    return {
        "name": model.name,
        "file": str(model.path),
        "planes": largest.planes,
        "columns": largest.dim2,
        "rows": largest.dim3,
        "policy": largest.policy,
        "values": largest.values,
        "boards": None if smallest is largest else str(model.metadata.boards),
        "batch": model.batch,
        "games": games,
        "provider": model.provider,
        "evaluationsPerSecond": round(networks.speed(model, largest, rows, model.workers)),
        "evaluationsPerSecondAlone": round(alone),
        "secondsPerMove": round(_longest_move(games) / alone, 1),
        "card": None if card is None else card.model_dump(mode="json"),
    }


def _longest_move(games: Sequence[str]) -> int:
    """Evaluations of the longest usual move in these games and variants, if none is cached."""
    from engines import Position
    from engines.effort import usual_move

    starts = (name.split(" ") for name in games)
    return max((usual_move(Position(game, variant)) for game, variant in starts), default=0)


def _warning(model: dict[str, Any]) -> list[str]:
    """A line if an attached bot with this network would exceed the usual time limit of a server."""
    from server.settings import Settings

    seconds, limit = model["secondsPerMove"], Settings.model_fields["bot_timeout_seconds"].default
    if seconds <= limit:
        return []
    usual = (
        f"a move with the usual samples takes up to {seconds:,.0f} s, and an attached bot has {limit:.0f} s"
    )
    return [f"  too slow for bots on this machine: {usual}; use a smaller network or fewer samples"]


def _text(model: dict[str, Any], card: "ModelCard | None") -> str:
    largest = f"{model['columns']}x{model['rows']}"
    boards = f"up to {largest}" if model["boards"] is None else f"{model['boards']}, each at its own size"
    batch = "any batch" if model["batch"] is None else f"always a batch of {model['batch']}"
    policy = f"policy of {model['policy']}" + ("" if model["boards"] is None else f" on {largest}")
    speed = f"{model['evaluationsPerSecond']:,} evaluations/s"
    alone = f"{model['evaluationsPerSecondAlone']:,} for a single session"
    lines = [
        f"{model['name']}: {', '.join(model['games'])}, on boards {boards}",
        f"  {model['file']}: {model['planes']} planes, {policy}, {batch}",
        f"  on {model['provider']}: {speed}, {alone}",
        *_warning(model),
    ]
    return "\n".join(lines if card is None else [*lines, *_card_lines(card)])


def _card_lines(card: "ModelCard") -> list[str]:
    from engines.game_calibration import GameCalibration

    lines = [
        f"  {card.made}",
        f"  trained with {card.games:,} games, in {card.hours:g} hours on {card.hardware}; license {card.license}",
    ]
    for match in card.strength:
        standing = match.standing
        low, high = standing.elo95
        elo = f"{standing.elo:+.0f} Elo ({low:+.0f} to {high:+.0f})"
        score = f"{standing.score:.1%} of {standing.games:,} games"
        lines.append(f"  {score} against {match.opponent}, {elo}: {match.conditions}")
    for variant, maps in card.calibration.items():
        expected = GameCalibration.read(maps).at(MIDDLE).score(SHOWN_VALUE)
        lines.append(
            f"  {variant}: a value of {SHOWN_VALUE} means an expected score of {expected:.2f} in the middle of a game"
        )
    return lines
