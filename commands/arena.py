"""``plyhouse arena``: matches between bots. Parses the options.

In ``programs.arena``, ``run`` plays the games, ``log`` keeps those of ``--resume``, and ``report`` prints the results.
"""

from collections.abc import Sequence
from typing import Annotated

import typer

from commands.arena_bots import BOTS_HELP, read_bots, refusing_bots
from commands.failure import failing
from commands.match_options import (
    BOTS_FAILED,
    FIRST_GAME,
    MATCH_ERRORS,
    AdjudicateOption,
    GameOption,
    JobsOption,
    OpeningPliesOption,
    OpeningsOption,
    RecordOption,
    ResumeOption,
    SamplesOption,
    SecondsOption,
    SeedOption,
    TimeOption,
    VariantOption,
    blaming,
    check_seats,
    introduce,
    on_cluster,
    read_match,
)
from commands.networks import ModelOption, ProviderOption
from commands.ray_option import RayOption, executor_or_exit
from engines.arena import Contender
from engines.sprt import BadTest, SequentialTest
from programs.arena.report import failures, print_tables, report
from programs.arena.run import gauntlet as first_against_all
from programs.arena.run import play_combinations, round_robin

GAMES = 100
"""Games of each combination of bots."""

MOST_GAMES = 100_000
"""Games of a sequential test that does not end before."""


def arena(
    *,
    game: GameOption = FIRST_GAME,
    variant: VariantOption = None,
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
    seed: SeedOption = 0,
    samples: SamplesOption = None,
    time_ms: TimeOption = None,
    seconds: SecondsOption = None,
    opening_plies: OpeningPliesOption = None,
    openings: OpeningsOption = None,
    adjudicate: AdjudicateOption = None,
    record: RecordOption = None,
    resume: ResumeOption = None,
    model: ModelOption = None,
    provider: ProviderOption = "auto",
    jobs: JobsOption = None,
    ray: RayOption = None,
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
    seats = check_seats(game, seats)
    players = read_bots(bots, seats, may_crash=tolerate)
    test = _test(sprt, players, seats, games)
    every, at_once = read_match(
        "arena",
        game,
        players,
        games or (MOST_GAMES if test else GAMES),
        seats,
        variant=variant,
        seed=seed,
        samples=samples,
        time_ms=time_ms,
        seconds=seconds,
        opening_plies=opening_plies,
        openings=openings,
        adjudicate=adjudicate,
        model=model,
        provider=provider,
        jobs=jobs,
        ray=ray,
    )
    groups = (first_against_all if gauntlet else round_robin)(len(players), seats)
    with (
        failing("arena", *MATCH_ERRORS),
        refusing_bots(),
        executor_or_exit("arena", ray, at_once, provider) as executor,
    ):
        introduce(every)
        every = on_cluster(every, ray, executor)
        combinations = play_combinations(every, groups, executor, record, resume, test)
    if as_json:
        typer.echo(report(combinations))
    else:
        print_tables(combinations)
    if failures(combinations):
        raise typer.Exit(BOTS_FAILED)


def _test(
    text: str | None, players: Sequence[Contender], seats: int, games: int | None
) -> SequentialTest | None:
    if text is None:
        return None
    with blaming("--sprt", BadTest):
        test = SequentialTest.parse(text)
    if len(players) != 2 or seats != 2:
        raise typer.BadParameter("a test is of two bots in games of two seats", param_hint="--sprt")
    if games is not None and games % 2:
        raise typer.BadParameter(f"a test plays pairs of games, not {games}", param_hint="--games")
    return test
