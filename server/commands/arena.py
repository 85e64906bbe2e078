"""``plyhouse arena``: matches between bots."""

import json
import os
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from engines import RuleError
from engines import games as catalogue
from engines.arena import Match, Played, Standing, play_match, standings
from engines.bots import STRATEGIES, Bot, UnknownBot
from engines.inference import ModelError
from engines.pool import Limits
from server.commands.networks import ModelOption, ProviderOption, announce, load_or_exit

BOT_HELP = "Two bots, comma-separated: " + "; ".join(
    f"{name} ({strategy.summary}"
    + "".join(f", {key}={value:g}" for key, value in strategy.parameters.items())
    + ")"
    for name, strategy in STRATEGIES.items()
)


def arena(
    *,
    game: Annotated[str, typer.Option(help="Name of the game.")] = "wallwars",
    variant: Annotated[str | None, typer.Option(help="Variant; the game's first by default.")] = None,
    bots: Annotated[str, typer.Option(help=BOT_HELP + ". Parameters follow: native:puct=1.2")],
    games: Annotated[int, typer.Option(min=1, help="Games to play; an even number is fair.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed and samples give the same result.")] = 0,
    samples: Annotated[int | None, typer.Option(min=1, help="Simulations per action (default 1000).")] = None,
    time_ms: Annotated[float | None, typer.Option("--time", min=1, help="Milliseconds per move.")] = None,
    model: ModelOption = None,
    provider: ProviderOption = "auto",
    jobs: Annotated[int, typer.Option(min=1, help="Games at once.")] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play bots against each other, seats alternated, and print the score with its 95 % interval."""
    try:
        players = [Bot.parse(text) for text in bots.split(",")]
    except UnknownBot as error:
        raise typer.BadParameter(str(error), param_hint="--bots") from None
    if len(players) != 2:
        raise typer.BadParameter(f"{len(players)} given, two play", param_hint="--bots")
    if samples is not None and time_ms is not None:
        raise typer.BadParameter("give samples or time, not both", param_hint="--time")
    limits = Limits(None, time_ms) if time_ms else Limits(samples or 1000)
    needed = model or any(STRATEGIES[player.name].uses_network for player in players)
    models = load_or_exit("arena", model or (), provider, jobs) if needed else []
    announce(models, provider)
    try:
        match = Match(
            game, players, games, limits, variant or _default_variant(game), seed=seed, models=models
        )
        played = _play(match, jobs)
    except (RuleError, ModelError) as error:
        typer.echo(f"plyhouse arena: {error}", err=True)
        raise typer.Exit(1) from None
    result = standings(players, played)
    if as_json:
        typer.echo(json.dumps(_report(match, played, result)))
    else:
        _print_table(result)


def _default_variant(game: str) -> str | None:
    return next((row.variants[0] for row in catalogue() if row.name == game), None)


def _play(match: Match, jobs: int) -> list[Played]:
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(" - ".join(bot.text for bot in match.bots), total=match.games)
        return play_match(match, jobs, lambda _: progress.advance(bar))


def _report(match: Match, played: list[Played], result: list[Standing]) -> dict[str, object]:
    return {
        "game": match.game,
        "variant": match.variant,
        "games": match.games,
        "seed": match.seed,
        "bots": [
            {
                "name": bot.name,
                "wins": bot.wins,
                "draws": bot.draws,
                "losses": bot.losses,
                "score": round(bot.score, 4),
                "wilson95": [round(bound, 4) for bound in bot.wilson95],
                "meanPoints": None,
                "sdPoints": None,
            }
            for bot in result
        ],
        "secondsPerGame": round(sum(game.seconds for game in played) / len(played), 4),
    }


def _print_table(result: list[Standing]) -> None:
    table = Table("bot", "wins", "draws", "losses", "score", "95 %")
    for bot in result:
        low, high = bot.wilson95
        table.add_row(
            bot.name,
            str(bot.wins),
            str(bot.draws),
            str(bot.losses),
            f"{bot.score:.3f}",
            f"{low:.3f} .. {high:.3f}",
        )
    Console().print(table)
