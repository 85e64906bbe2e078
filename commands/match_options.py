"""The options of commands that play matches, and the match that they describe."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from commands.arena_bots import common_limits, note
from commands.networks import Provider, announce, load_or_exit
from engines import RuleError
from engines import games as catalogue
from engines.adjudication import Adjudication, BadAdjudication
from engines.arena import OPENING_PLIES, Contender, Match
from engines.bots import Bot
from engines.executors.executor import TaskExecutor
from engines.inference import ModelError
from engines.near_names import known_names
from engines.opening_suite import BadOpenings, Opening, read_suite, shipped_suite
from engines.processor_cores import usable_cores
from programs.arena.attached_player import AttachedBot, ServerFailed
from programs.arena.log import BadLog
from programs.arena.program_player import ProgramBot
from programs.seat_programs import ProgramFailed

FIRST_GAME = catalogue()[0].name

SHIPPED = "shipped"

BOTS_FAILED = 3
"""The exit status of a match in which a bot failed to finish some of its games."""

MATCH_ERRORS = (RuleError, ModelError, ProgramFailed, ServerFailed, BadLog, OSError)
"""What can end a match."""

VariantOption = Annotated[str | None, typer.Option(help="Variant; the game's first by default.")]
GameOption = Annotated[str, typer.Option(help="Name of the game.")]
SeedOption = Annotated[int, typer.Option(help="The same seed and samples give the same result.")]
SamplesOption = Annotated[
    int | None, typer.Option(min=1, help="Samples per action (default: the game's own).")
]
TimeOption = Annotated[float | None, typer.Option("--time", min=1, help="Milliseconds per move.")]
SecondsOption = Annotated[
    float | None, typer.Option(min=0.001, help="Seconds per move: --time in another unit.")
]
OpeningPliesOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Random plies before the bots take over, the same for all rotations of the seats"
        f" (default: {OPENING_PLIES}; none where the seed determines a hidden order, or with ID@URL bots).",
    ),
]
OpeningsOption = Annotated[
    str | None,
    typer.Option(
        help="File of openings to play from instead of random plies, or 'shipped' for those that come with "
        "Plyhouse."
    ),
]
AdjudicateOption = Annotated[
    str | None,
    typer.Option(
        help="Rules that end games early: resign=0.03x4 (both bots expect so little or less for one of them, for"
        " 4 moves each), draw=0.02x10@60 (both expect no more difference from 1/2, for 10 moves each, from ply"
        " 60 on), plies=300."
    ),
]
RecordOption = Annotated[
    Path | None, typer.Option(help="File to write every game to, one per line; it must not exist.")
]
ResumeOption = Annotated[
    Path | None,
    typer.Option(help="Log of the match: an interrupted match continues from it if the file exists."),
]
JobsOption = Annotated[
    int | None,
    typer.Option(min=1, help="Games at once (default: one per core; one with programs and ID@URL bots)."),
]


def read_match(
    command: str,
    game: str,
    players: Sequence[Contender],
    games: int,
    seats: int,
    *,
    variant: str | None,
    seed: int,
    samples: int | None,
    time_ms: float | None,
    seconds: float | None,
    opening_plies: int | None,
    openings: str | None,
    adjudicate: str | None,
    model: list[Path] | None,
    provider: Provider,
    jobs: int | None,
    ray: str | None,
) -> tuple[Match, int | None]:
    """The match of all players, and how many games to play at once (None: one for each core).

    Notes on stderr what may surprise. ``ray``: the address of a cluster that is to play the games.
    """
    attached = [player for player in players if isinstance(player, AttachedBot)]
    if sum(limit is not None for limit in (samples, time_ms, seconds)) > 1:
        raise typer.BadParameter("give samples, time or seconds, not several", param_hint="--time")
    named = variant or _default_variant(game)
    limits = common_limits(game, samples, seconds * 1000 if seconds else time_ms, players)
    if jobs is None and (attached or any(isinstance(one, ProgramBot) for one in players)):
        jobs = 1
    needs_network = any(isinstance(player, Bot) and player.uses_network for player in players)
    models = []
    if model or needs_network:
        # Nodes of a cluster compute networks: here, they are only read.
        device: Provider = "cpu" if ray else provider
        models = load_or_exit(command, model or (), device, 1 if ray else jobs or usable_cores())
    if ray is None:
        announce(models, provider)
    match = Match(
        game,
        players,
        games,
        limits,
        named,
        seed=seed,
        opening_plies=_opening_plies(opening_plies, openings, attached),
        models=models,
        openings=_openings(openings, game, named or "", seed, attached),
        adjudication=_adjudication(adjudicate, seats),
    )
    _note_starts(match, seats)
    return match, jobs


def on_cluster(match: Match, ray: str | None, executor: TaskExecutor) -> Match:
    """The match with its networks where a cluster computes them; the same match without a cluster."""
    if ray is None:
        return match
    models = executor.networks(match.models)
    announce(models, "cpu")  # which device the nodes use is known; nothing is said of this machine's
    return replace(match, models=models)


def introduce(match: Match) -> None:
    """Notes the names of programs and servers, so that problems show before the match. Raises as these do."""
    for player in match.bots:
        if isinstance(player, ProgramBot):
            name = player.introduce(match.game, match.variant or "", match.limits)
            note(f"{player.text} is {name}; its games cannot be repeated with a seed")
        if isinstance(player, AttachedBot):
            player.check(match.game, match.variant or "")
            note(f"{player.text} plays at a server; its games cannot be repeated with a seed")


def _note_starts(match: Match, seats: int) -> None:
    if match.games % seats:
        uneven = f"{match.games} games are not a multiple of {seats} seats"
        note(f"{uneven}: the last start is not played in every rotation")
    openings = len(match.openings)
    if openings and match.games > openings * seats:
        note(
            f"from start {openings + 1} on, openings are played again, with {OPENING_PLIES} random plies after each"
        )


def _openings(
    text: str | None, game: str, variant: str, seed: int, attached: Sequence[AttachedBot]
) -> tuple[Opening, ...]:
    if text is None:
        return ()
    if attached:
        raise typer.BadParameter("ID@URL bots play from the start of a game", param_hint="--openings")
    with blaming("--openings", BadOpenings):
        suite = read_suite(shipped_suite(game, variant) if text == SHIPPED else Path(text))
    if (suite.game, suite.variant) != (game, variant):
        theirs = f"{text} has openings of {suite.game} {suite.variant}, not of {game} {variant}"
        raise typer.BadParameter(theirs, param_hint="--openings")
    return suite.shuffled(seed)


def _adjudication(text: str | None, seats: int) -> Adjudication | None:
    if text is None:
        return None
    with blaming("--adjudicate", BadAdjudication):
        rules = Adjudication.parse(text)
    if rules.needs_scores and seats != 2:
        why = f"bots agree in games of two seats only; with {seats}, there is the rule plies"
        raise typer.BadParameter(why, param_hint="--adjudicate")
    return rules


@contextmanager
def blaming(option: str, error: type[ValueError]) -> Iterator[None]:
    """Blames these errors on an option."""
    try:
        yield
    except error as why:
        raise typer.BadParameter(str(why), param_hint=option) from None


def _opening_plies(wanted: int | None, openings: str | None, attached: Sequence[AttachedBot]) -> int | None:
    if openings is not None and wanted is not None:
        raise typer.BadParameter(
            "give openings or a number of random plies, not both", param_hint="--openings"
        )
    if not attached:
        return wanted
    if wanted:
        raise typer.BadParameter("ID@URL bots play from the start of a game", param_hint="--opening-plies")
    return 0


def _default_variant(game: str) -> str | None:
    return next((row.variants[0] for row in catalogue() if row.name == game), None)


def check_seats(game: str, seats: int | None) -> int:
    """The number of seats, by default the smallest."""
    row = next((row for row in catalogue() if row.name == game), None)
    if row is None:
        hint = known_names(game, (row.name for row in catalogue()))
        raise typer.BadParameter(f"unknown game '{game}'{hint}", param_hint="--game")
    least, most = row.seats
    if seats is None or least <= seats <= most:
        return seats or least
    known = f"{least} to {most}" if least < most else str(least)
    raise typer.BadParameter(f"{seats} given, {game} has {known}", param_hint="--seats")
