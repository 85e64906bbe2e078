"""``plyhouse arena``: matches between bots. Parses the options.

In ``programs.arena``, ``run`` plays the games, ``log`` keeps those of ``--resume``, and ``report`` prints the results.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from commands.arena_bots import BOTS_HELP, common_limits, note, read_bots, refusing_bots
from commands.failure import failing
from commands.networks import ModelOption, ProviderOption, announce, load_or_exit
from engines import RuleError
from engines import games as catalogue
from engines.adjudication import Adjudication, BadAdjudication
from engines.arena import OPENING_PLIES, Contender, Match
from engines.bots import Bot
from engines.cores import usable_cores
from engines.inference import ModelError
from engines.near_names import known_names
from engines.opening_suite import BadOpenings, Opening, read_suite, shipped_suite
from engines.pool import Limits
from engines.sprt import BadTest, SequentialTest
from programs.arena.attached_player import AttachedBot, ServerFailed
from programs.arena.log import BadLog
from programs.arena.program_player import ProgramBot
from programs.arena.report import failures, print_tables, report
from programs.arena.run import gauntlet as first_against_all
from programs.arena.run import play_combinations, round_robin
from programs.seat_programs import ProgramFailed

GAMES = 100
"""Games of each combination of bots."""

MOST_GAMES = 100_000
"""Games of a sequential test that does not end before."""

SHIPPED = "shipped"

BOTS_FAILED = 3
"""The exit status of a match in which a bot failed to finish some of its games."""


def arena(
    *,
    game: Annotated[str, typer.Option(help="Name of the game.")] = catalogue()[0].name,
    variant: Annotated[str | None, typer.Option(help="Variant; the game's first by default.")] = None,
    bots: Annotated[str, typer.Option(help=BOTS_HELP)],
    seats: Annotated[
        int | None, typer.Option(min=2, help="Seats of a game (default: the smallest number).")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Games per combination of bots; a multiple of the seats is fair (default:"
            f" {GAMES}; with --sprt the most games, {MOST_GAMES})",
        ),
    ] = None,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only combinations with the first bot, instead of all.")
    ] = False,
    sprt: Annotated[
        str | None,
        typer.Option(
            help="Sequential test of the first of two bots, which ends the match: "
            "elo0=0,elo1=5,alpha=0.05,beta=0.05, of which parts may be left out."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed and samples give the same result.")] = 0,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Samples per action (default: the game's own).")
    ] = None,
    time_ms: Annotated[float | None, typer.Option("--time", min=1, help="Milliseconds per move.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds per move: --time in another unit.")
    ] = None,
    opening_plies: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Random plies before the bots take over, the same for all rotations of the seats"
            f" (default: {OPENING_PLIES}; none where the seed determines a hidden order, or with ID@URL bots).",
        ),
    ] = None,
    openings: Annotated[
        str | None,
        typer.Option(
            help="File of openings to play from instead of random plies, or 'shipped' for those that come with "
            "Plyhouse."
        ),
    ] = None,
    adjudicate: Annotated[
        str | None,
        typer.Option(
            help="Rules that end games early: resign=0.03x4 (both bots expect so little or less for one of them, for"
            " 4 moves each), draw=0.02x10@60 (both expect no more difference from 1/2, for 10 moves each, from ply"
            " 60 on), plies=300."
        ),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="File to write every game to, one per line; it must not exist.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Log of the match: an interrupted match continues from it if the file exists."),
    ] = None,
    model: ModelOption = None,
    provider: ProviderOption = "auto",
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Games at once (default: one per core; one with programs and ID@URL bots)."),
    ] = None,
    tolerate: Annotated[
        bool, typer.Option("--tolerate", help="A program that crashes loses its game, and the match goes on.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json/--table", help="Print one JSON object, or tables.")
    ] = False,
) -> None:
    """Play bots against each other and print scores, points and Elo ratings with their 95 % intervals.

    With as many bots as seats, all play together. With more, every combination of them plays (a round robin).
    Every start is played in each rotation of the seats.

    Exits with status 3 if a bot failed in some of the games: it crashed, was late or broke the rules.
    """
    seats = _check_seats(game, seats)
    players = read_bots(bots, seats, may_crash=tolerate)
    attached = [player for player in players if isinstance(player, AttachedBot)]
    if sum(limit is not None for limit in (samples, time_ms, seconds)) > 1:
        raise typer.BadParameter("give samples, time or seconds, not several", param_hint="--time")
    named = variant or _default_variant(game)
    test = _test(sprt, players, seats, games)
    games = games or (MOST_GAMES if test else GAMES)
    limits = common_limits(game, samples, seconds * 1000 if seconds else time_ms, players)
    jobs = jobs or (1 if attached or any(isinstance(one, ProgramBot) for one in players) else usable_cores())
    needs_network = any(isinstance(player, Bot) and player.uses_network for player in players)
    models = load_or_exit("arena", model or (), provider, jobs) if model or needs_network else []
    announce(models, provider)
    every = Match(
        game,
        players,
        games,
        limits,
        named,
        seed=seed,
        opening_plies=_opening_plies(opening_plies, openings, attached),
        models=models,
        openings=_openings(openings, game, named or "", seed, attached),
        adjudication=_adjudication(adjudicate),
    )
    _note_starts(every, seats)
    groups = (first_against_all if gauntlet else round_robin)(len(players), seats)
    errors = (RuleError, ModelError, ProgramFailed, ServerFailed, BadLog, OSError)
    with failing("arena", *errors), refusing_bots():
        _introduce(players, game, named or "", limits)
        combinations = play_combinations(every, groups, jobs, record, resume, test)
    if as_json:
        typer.echo(report(combinations))
    else:
        print_tables(combinations)
    if failures(combinations):
        raise typer.Exit(BOTS_FAILED)


def _introduce(players: Sequence[Contender], game: str, variant: str, limits: Limits) -> None:
    """Notes the names of programs and servers, so that problems show before the match."""
    for player in players:
        if isinstance(player, ProgramBot):
            name = player.introduce(game, variant, limits)
            note(f"{player.text} is {name}; its games cannot be repeated with a seed")
        if isinstance(player, AttachedBot):
            player.check(game, variant)
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


def _test(
    text: str | None, players: Sequence[Contender], seats: int, games: int | None
) -> SequentialTest | None:
    if text is None:
        return None
    with _blaming("--sprt", BadTest):
        test = SequentialTest.parse(text)
    if len(players) != 2 or seats != 2:
        raise typer.BadParameter("a test is of two bots in games of two seats", param_hint="--sprt")
    if games is not None and games % 2:
        raise typer.BadParameter(f"a test plays pairs of games, not {games}", param_hint="--games")
    return test


def _openings(
    text: str | None, game: str, variant: str, seed: int, attached: Sequence[AttachedBot]
) -> tuple[Opening, ...]:
    if text is None:
        return ()
    if attached:
        raise typer.BadParameter("ID@URL bots play from the start of a game", param_hint="--openings")
    with _blaming("--openings", BadOpenings):
        suite = read_suite(shipped_suite(game, variant) if text == SHIPPED else Path(text))
    if (suite.game, suite.variant) != (game, variant):
        theirs = f"{text} has openings of {suite.game} {suite.variant}, not of {game} {variant}"
        raise typer.BadParameter(theirs, param_hint="--openings")
    return suite.shuffled(seed)


def _adjudication(text: str | None) -> Adjudication | None:
    with _blaming("--adjudicate", BadAdjudication):
        return None if text is None else Adjudication.parse(text)


@contextmanager
def _blaming(option: str, error: type[ValueError]) -> Iterator[None]:
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


def _check_seats(game: str, seats: int | None) -> int:
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
