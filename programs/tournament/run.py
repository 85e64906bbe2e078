"""Plays the rounds of ``plyhouse tournament``, all games of a round at the same time if there are slots for them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import IO

from rich.progress import Progress, TaskID

from engines.arena import Match, Played, check_bots, names, play_game
from engines.executors.executor import TaskExecutor
from engines.pairings import Round
from programs.arena.log import MatchLog
from programs.arena.report import record_line
from programs.progress import progress_bars
from programs.tournament.results import PlayedRound, Seated, Tournament


@dataclass(frozen=True)
class _Output:
    """Where finished games go."""

    log: MatchLog | None
    record: IO[str] | None
    progress: Progress
    bar: TaskID


@dataclass(frozen=True)
class _Game:
    """A game of a round, which is played or was logged before."""

    table: Seated
    match: Match
    bots: Sequence[str]
    number: int
    is_logged: bool
    future: Future[Played]


def _done(game: Played) -> Future[Played]:
    future: Future[Played] = Future()
    future.set_result(game)
    return future


def play_tournament(
    empty: Tournament,
    rounds: int,
    executor: TaskExecutor,
    record: Path | None = None,
    resume: Path | None = None,
    on_round: Callable[[Tournament], None] = lambda tournament: None,
) -> Tournament:
    """Plays a tournament without rounds. ``on_round`` is called with what has been played after each round.

    ``record`` and ``resume`` are those of the arena. Raises BadLog, OSError, RuleError, ModelError and NoPairing.
    """
    every, players, seats = empty.match, len(empty.names), empty.system.seats
    for last in range(seats - 1, players):
        check_bots(_match_of(every, (*range(seats - 1), last)))
    with ExitStack() as stack:
        log = stack.enter_context(MatchLog(resume, every, seats)) if resume else None
        file = stack.enter_context(record.open("x", encoding="utf-8")) if record else None
        progress = stack.enter_context(progress_bars())
        played = empty
        for number in range(rounds):
            next_one = empty.system.next_round(players, played.rounds)
            bar = progress.add_task(f"round {number + 1}", total=len(next_one.tables) * every.games)
            one = _play_round(played, next_one, executor, _Output(log, file, progress, bar))
            played = replace(played, rounds=[*played.rounds, one])
            on_round(played)
    return played


def _match_of(every: Match, table: Seated) -> Match:
    return replace(every, bots=[every.bots[player] for player in table])


def _play_round(played: Tournament, one: Round, executor: TaskExecutor, output: _Output) -> PlayedRound:
    games: dict[Seated, list[Played]] = {table: [] for table in one.tables}
    for table, game in _games(played, one.tables, executor, output):
        games[table].append(game)
    return PlayedRound(one, games)


def _first_number(played: Tournament, table: Seated) -> int:
    """The number of the first game of a table: one with a new seed, if the same players have sat at one before."""
    before = sum(set(table) == set(other) for one in played.rounds for other in one.games)
    return before * ceil(played.match.games / len(table)) * len(table)


def _games(
    played: Tournament, tables: Sequence[Seated], executor: TaskExecutor, output: _Output
) -> Iterator[tuple[Seated, Played]]:
    """The games table by table, each written as soon as those before it are."""
    every = played.match
    called = names(every.bots)
    waiting: list[_Game] = []
    for table in tables:
        first, bots = _first_number(played, table), [called[player] for player in table]
        match = replace(_match_of(every, table), games=first + every.games)
        play = partial(play_game, match)
        known = output.log.games(bots, match) if output.log else {}
        for number in range(first, match.games):
            logged = known.get(number)
            future = _done(logged) if logged else executor.submit(play, number)
            waiting.append(_Game(table, match, bots, number, logged is not None, future))
    try:
        for one in waiting:
            game = one.future.result()
            if output.log and not one.is_logged:
                output.log.append(one.bots, one.match, one.number, game)
            if output.record:
                print(record_line(one.bots, game), file=output.record, flush=True)
            output.progress.advance(output.bar)
            yield one.table, game
    finally:
        for one in waiting:
            one.future.cancel()
