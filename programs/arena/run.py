"""Plays the games of ``plyhouse arena``: every combination of the bots, with a progress bar and files of games."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import IO

import typer
from rich.progress import Progress

from engines.arena import Match, Played, check_bots, names, play_match
from engines.executors.executor import TaskExecutor
from engines.sprt import SequentialTest
from programs.arena.log import MatchLog
from programs.arena.report import Combination, record_line
from programs.arena.sprt_watch import SprtWatch
from programs.progress import progress_bars

Groups = Sequence[Sequence[int]]
"""Which bots meet in one game after the other, as indices."""


def round_robin(bots: int, seats: int) -> Groups:
    """Every combination of this many bots, in order."""
    return list(combinations(range(bots), seats))


def gauntlet(bots: int, seats: int) -> Groups:
    """The first bot with every combination of others."""
    return [group for group in round_robin(bots, seats) if group[0] == 0]


def play_combinations(
    every: Match,
    groups: Groups,
    jobs: int | TaskExecutor,
    record: Path | None = None,
    resume: Path | None = None,
    test: SequentialTest | None = None,
) -> list[Combination]:
    """Plays ``every.games`` games of each group of bots; with ``test``, at most so many, until it has a verdict.

    ``record``: a new file to write each game to once all earlier ones are written. ``resume``: the log of the match,
    whose games are not played again. Raises BadLog, OSError, RuleError and ModelError.
    """
    seats = len(groups[0])
    for group in groups:
        check_bots(replace(every, bots=[every.bots[bot] for bot in group]))
    with ExitStack() as stack:
        log = stack.enter_context(MatchLog(resume, every, seats)) if resume else None
        file = stack.enter_context(record.open("x", encoding="utf-8")) if record else None
        found = [_combination(every, group, log) for group in groups]
        _say_what_is_known(resume, found)
        progress = stack.enter_context(progress_bars())
        return [_play(replace(one, test=test), jobs, progress, log, file) for one in found]


def _combination(every: Match, group: Sequence[int], log: MatchLog | None) -> Combination:
    """A combination of which only logged games have been played."""
    called = [names(every.bots)[bot] for bot in group]
    match = replace(every, bots=[every.bots[bot] for bot in group])
    return Combination(called, match, log.games(called, match) if log else {})


def _play(
    combination: Combination,
    jobs: int | TaskExecutor,
    progress: Progress,
    log: MatchLog | None,
    file: IO[str] | None,
) -> Combination:
    called, match, known = combination.names, combination.match, combination.games
    bar = progress.add_task(" - ".join(called), total=match.games)
    watch = SprtWatch(combination.test, progress, bar) if combination.test else None
    played: dict[int, Played] = {}

    def note(game: Played) -> None:
        number = len(played)
        played[number] = game
        if log is not None and number not in known:
            log.append(called, match, number, game)
        if file is not None:
            print(record_line(called, game), file=file, flush=True)
        progress.advance(bar)
        if watch is not None:
            watch.add(game.values[0])

    play_match(match, jobs, note, known, lambda: watch is not None and watch.is_decided)
    return replace(combination, games=played)


def _say_what_is_known(resume: Path | None, found: Sequence[Combination]) -> None:
    known = sum(len(combination.games) for combination in found)
    total = sum(combination.match.games for combination in found)
    if known:
        typer.echo(f"{resume} has {known} of {total} games", err=True)
