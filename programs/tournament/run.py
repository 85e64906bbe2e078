"""Plays the rounds of ``plyhouse tournament``, all games of a round at the same time if there are slots for them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO

from rich.progress import Progress, TaskID

from engines.arena import Match, Played, check_bots, names, play_game
from engines.executors.executor import TaskExecutor
from engines.pairings import Round
from engines.tournament_systems import NEXT_ROUND
from programs.arena.log import MatchLog
from programs.arena.report import record_line
from programs.progress import progress_bars
from programs.tournament.results import Pair, PlayedRound, Tournament


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

    pair: Pair
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
    every, players = empty.match, len(empty.names)
    for other in range(1, players):
        check_bots(_match_of(every, (0, other)))
    with ExitStack() as stack:
        log = stack.enter_context(MatchLog(resume, every, 2)) if resume else None
        file = stack.enter_context(record.open("x", encoding="utf-8")) if record else None
        progress = stack.enter_context(progress_bars())
        played = empty
        for number in range(rounds):
            next_one = NEXT_ROUND[empty.system](players, empty.bye_points, played.rounds, ())
            bar = progress.add_task(f"round {number + 1}", total=len(next_one.pairs) * every.games)
            one = _play_round(every, next_one, executor, _Output(log, file, progress, bar))
            played = replace(played, rounds=[*played.rounds, one])
            on_round(played)
    return played


def _match_of(every: Match, pair: Pair) -> Match:
    return replace(every, bots=[every.bots[player] for player in pair])


def _play_round(every: Match, one: Round, executor: TaskExecutor, output: _Output) -> PlayedRound:
    games: dict[Pair, list[Played]] = {pair: [] for pair in one.pairs}
    for pair, game in _games(every, one.pairs, executor, output):
        games[pair].append(game)
    return PlayedRound(one, games)


def _games(
    every: Match, pairs: Sequence[Pair], executor: TaskExecutor, output: _Output
) -> Iterator[tuple[Pair, Played]]:
    """The games pair by pair, each written as soon as those before it are."""
    called = names(every.bots)
    waiting: list[_Game] = []
    for pair in pairs:
        match, bots = _match_of(every, pair), [called[player] for player in pair]
        play = partial(play_game, match)
        known = output.log.games(bots, match) if output.log else {}
        for number in range(match.games):
            logged = known.get(number)
            future = _done(logged) if logged else executor.submit(play, number)
            waiting.append(_Game(pair, match, bots, number, logged is not None, future))
    try:
        for one in waiting:
            game = one.future.result()
            if output.log and not one.is_logged:
                output.log.append(one.bots, one.match, one.number, game)
            if output.record:
                print(record_line(one.bots, game), file=output.record, flush=True)
            output.progress.advance(output.bar)
            yield one.pair, game
    finally:
        for one in waiting:
            one.future.cancel()
