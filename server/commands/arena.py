"""``plyhouse arena``: matches between bots. Reads the options; ``arena_report`` says what came of it."""

import os
import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, TaskID

from engines import RuleError
from engines import games as catalogue
from engines.arena import OPENING_PLIES, Contender, Match, Played, names, play_match
from engines.bots import STRATEGIES, Bot, UnknownBot, installed
from engines.effort import usual_samples
from engines.inference import ModelError
from engines.pool import Limits
from protocols.uhp.answers import Identity
from server.adapters.uhp_command import BadCommand
from server.adapters.uhp_engine import EngineFailed
from server.adapters.uhp_player import PREFIX, UhpBot
from server.commands.arena_report import Pairing, print_tables, record_line, report
from server.commands.networks import ModelOption, ProviderOption, announce, load_or_exit

BOT_HELP = "Bots, comma-separated; more than two: each against each. " + "; ".join(
    f"{name} ({strategy.summary}"
    + "".join(f", {key}={value:g}" for key, value in strategy.parameters.items())
    + ")"
    for name, strategy in STRATEGIES.items()
)
PLUGIN_HELP = "".join(f"; {name} ({entry.value})" for name, entry in installed().items())
UHP_HELP = (
    f'; {PREFIX}"CMD" (a Hive engine that speaks UHP, as a child process; or tcp:host:port; its options, and time=MS or'
    f" depth=N, before the command: {PREFIX}time=2000:NumThreads=1:nokamute). Other parameters follow the name, and"
    " time=MS is a bot's own time for a move: native:time=500:puct=1.2"
)


def arena(
    *,
    game: Annotated[str, typer.Option(help="Name of the game.")] = catalogue()[0].name,
    variant: Annotated[str | None, typer.Option(help="Variant; the game's first by default.")] = None,
    bots: Annotated[str, typer.Option(help=BOT_HELP + PLUGIN_HELP + UHP_HELP)],
    games: Annotated[int, typer.Option(min=1, help="Games of each pair; an even number is fair.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed and samples give the same result.")] = 0,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Samples per action (default: what is usual for the game).")
    ] = None,
    time_ms: Annotated[float | None, typer.Option("--time", min=1, help="Milliseconds per move.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds per move: --time in another unit.")
    ] = None,
    opening_plies: Annotated[
        int, typer.Option(min=0, help="Random plies before the bots take over, the same for a pair of games.")
    ] = OPENING_PLIES,
    record: Annotated[
        Path | None, typer.Option(help="File that gets every game, one line each; it must not exist.")
    ] = None,
    model: ModelOption = None,
    provider: ProviderOption = "auto",
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Games at once (default: one per core; one with uhp bots).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play bots against each other, seats alternated, and print the score with its 95 % interval."""
    players = _read_bots(bots)
    programs = [player for player in players if isinstance(player, UhpBot)]
    limits = _limits(game, samples, time_ms, seconds, programs)
    jobs = jobs or (1 if programs else os.cpu_count() or 1)
    needs_network = any(isinstance(player, Bot) and player.uses_network for player in players)
    models = load_or_exit("arena", model or (), provider, jobs) if model or needs_network else []
    announce(models, provider)
    named = variant or _default_variant(game)
    try:
        for program in programs:
            _announce(program, program.introduce(game, named or "", limits))
        every = Match(
            game, players, games, limits, named, seed=seed, opening_plies=opening_plies, models=models
        )
        pairings = _play(every, jobs, record)
    except BadCommand as error:
        raise typer.BadParameter(str(error), param_hint="--bots") from None
    except (RuleError, ModelError, EngineFailed, OSError) as error:
        typer.echo(f"plyhouse arena: {error}", err=True)
        raise typer.Exit(1) from None
    if as_json:
        typer.echo(report(pairings))
    else:
        print_tables(pairings)


def _announce(program: UhpBot, identity: Identity) -> None:
    typer.echo(f"{program.text} is {identity.name}; a seed does not repeat its games", err=True)


def _read_bots(text: str) -> list[Contender]:
    try:
        players = [_read_bot(part) for part in _split(text)]
    except (UnknownBot, BadCommand) as error:
        raise typer.BadParameter(str(error), param_hint="--bots") from None
    if len(players) < 2:
        raise typer.BadParameter(f"{len(players)} given, two play", param_hint="--bots")
    return players


def _read_bot(text: str) -> Contender:
    return UhpBot.parse(text) if text.startswith(PREFIX) else Bot.parse(text)


def _split(text: str) -> list[str]:
    """The parts between commas; one in double quotes divides nothing, and the quotes stay."""
    return re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', text)


def _limits(
    game: str,
    samples: int | None,
    time_ms: float | None,
    seconds: float | None,
    programs: Sequence[UhpBot],
) -> Limits:
    """The limits of every bot without its own."""
    if sum(limit is not None for limit in (samples, time_ms, seconds)) > 1:
        raise typer.BadParameter("give samples, time or seconds, not several", param_hint="--time")
    time_ms = seconds * 1000 if seconds else time_ms
    if time_ms:
        return Limits(None, time_ms)
    if programs and (samples or not all(program.command.limit for program in programs)):
        how = f"--seconds, --time, or their own time=MS or depth=N: {PREFIX}time=1000:CMD"
        raise typer.BadParameter(f"{PREFIX} bots play by time or depth: {how}", param_hint="--bots")
    return Limits(samples or usual_samples(game))


def _default_variant(game: str) -> str | None:
    return next((row.variants[0] for row in catalogue() if row.name == game), None)


def _play(every: Match, jobs: int, record: Path | None) -> list[Pairing]:
    """Plays each bot against each other; each game is written as soon as those before it have been."""
    console = Console(stderr=True)
    pairings = []
    with ExitStack() as stack:
        file = stack.enter_context(record.open("x", encoding="utf-8")) if record else None
        progress = stack.enter_context(
            Progress(console=console, transient=True, disable=not console.is_terminal)
        )
        for pair in combinations(range(len(every.bots)), 2):
            called = [names(every.bots)[bot] for bot in pair]
            bar = progress.add_task(" - ".join(called), total=every.games)

            def note(game: Played, called: Sequence[str] = called, bar: TaskID = bar) -> None:
                progress.advance(bar)
                if file is not None:
                    print(record_line(called, game), file=file, flush=True)

            match = replace(every, bots=[every.bots[bot] for bot in pair])
            pairings.append(Pairing(called, match, play_match(match, jobs, note)))
    return pairings
