"""``plyhouse tournament``: a tournament of bots."""

from dataclasses import replace
from typing import Annotated, Literal

import typer

from commands.arena_bots import BOTS_HELP, note, read_bots, refusing_bots
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
    check_seats,
    introduce,
    on_cluster,
    read_match,
)
from commands.networks import ModelOption, ProviderOption
from commands.ray_option import RayOption, executor_or_exit
from engines.arena import names
from engines.near_names import known_names
from engines.pairings import NoPairing
from engines.tournament_systems import System
from engines.tournament_table import TIE_BREAKS
from programs.tournament.report import print_tournament, tournament_csv, tournament_json
from programs.tournament.results import Tournament
from programs.tournament.run import play_tournament


def tournament(
    *,
    game: GameOption = FIRST_GAME,
    variant: VariantOption = None,
    bots: Annotated[str, typer.Option(help=BOTS_HELP)],
    system: Annotated[
        Literal["round-robin", "swiss", "gauntlet"],
        typer.Option(
            help="All against all, equal scores against each other, or the first against all others."
        ),
    ] = "round-robin",
    seats: Annotated[int, typer.Option(min=2, help="Seats of each game, in games that have more.")] = 2,
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Rounds of a Swiss tournament (default: as many as possible), or of a round robin of tables.",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            min=1,
            help="Games of each pair or table, with the seats in turn; one from each seat for each start.",
        ),
    ] = 2,
    tie_breaks: Annotated[
        str | None,
        typer.Option(help=f"What decides between equal points, comma-separated: {', '.join(TIE_BREAKS)}."),
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
    output: Annotated[
        Literal["table", "json", "csv"], typer.Option("--format", help="What to print at the end.")
    ] = "table",
) -> None:
    """Play a round robin, a Swiss tournament or a gauntlet of bots, and print its cross table.

    A bot that fails loses the game. Exits with status 3 if that happened.
    """
    check_seats(game, seats)
    players = read_bots(bots, seats, may_crash=True)
    pairing = System(system, games, seats)
    count = _rounds(pairing, rounds, len(players))
    decide = _tie_breaks(pairing, tie_breaks)
    every, at_once = read_match(
        "tournament",
        game,
        players,
        games,
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
    empty = Tournament(every, names(players), pairing, decide, [])

    def note_round(played: Tournament) -> None:
        ahead = [row for row in played.table() if row.place == 1]
        leaders = ", ".join(played.names[row.player] for row in ahead)
        note(f"round {len(played.rounds)} of {count}, in front: {leaders} (points: {ahead[0].points:g})")

    with (
        failing("tournament", NoPairing, *MATCH_ERRORS),
        refusing_bots(),
        executor_or_exit("tournament", ray, at_once, provider) as executor,
    ):
        introduce(every)
        empty = replace(empty, match=on_cluster(every, ray, executor))
        played = play_tournament(empty, count, executor, record, resume, note_round)
    if output == "table":
        print_tournament(played)
    else:
        typer.echo((tournament_json if output == "json" else tournament_csv)(played).rstrip("\n"))
    if any(played.failures(player) for player in range(len(players))):
        raise typer.Exit(BOTS_FAILED)


def _rounds(system: System, wanted: int | None, players: int) -> int:
    rounds = system.rounds(players, wanted)
    if wanted is not None and not system.has_rounds:
        why = f"a {system.name} of {players} bots has {rounds} rounds"
        raise typer.BadParameter(why, param_hint="--rounds")
    if wanted is not None and wanted > rounds:
        why = f"{wanted} given, {players} bots can play {rounds} without meeting an opponent again"
        raise typer.BadParameter(why, param_hint="--rounds")
    return rounds


def _tie_breaks(system: System, text: str | None) -> list[str]:
    if text is None:
        return list(system.usual_tie_breaks)
    given = [name.strip() for name in text.split(",")]
    for name in given:
        if name not in TIE_BREAKS:
            why = f"unknown tie-break '{name}'{known_names(name, TIE_BREAKS)}"
            raise typer.BadParameter(why, param_hint="--tie-breaks")
        if name not in system.tie_breaks:
            raise typer.BadParameter(f"'{name}' is for games of 2 seats", param_hint="--tie-breaks")
        if given.count(name) > 1:
            raise typer.BadParameter(f"'{name}' is given twice", param_hint="--tie-breaks")
    return given
