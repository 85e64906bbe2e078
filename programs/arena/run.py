"""Plays the games of ``plyhouse arena``: every combination of the bots, with a progress bar and files of games."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import IO

import typer
from rich.progress import Progress

from engines.arena import Match, Played, names, play_match
from programs.arena.log import MatchLog
from programs.arena.report import Combination, record_line
from programs.progress import progress_bars


def play_combinations(
    every: Match, seats: int, jobs: int, record: Path | None, resume: Path | None
) -> list[Combination]:
    """Plays ``every.games`` games of each combination of ``seats`` bots, in the order of ``every.bots``.

    ``record``: a new file to write each game to once all earlier ones are written. ``resume``: the log of the match,
    whose games are not played again. Raises BadLog, OSError, RuleError and ModelError.
    """
    groups = list(combinations(range(len(every.bots)), seats))
    with ExitStack() as stack:
        log = stack.enter_context(MatchLog(resume, every, seats)) if resume else None
        file = stack.enter_context(record.open("x", encoding="utf-8")) if record else None
        found = [_combination(every, group, log) for group in groups]
        _say_what_is_known(resume, found)
        progress = stack.enter_context(progress_bars())
        return [_play(combination, jobs, progress, log, file) for combination in found]


def _combination(every: Match, group: Sequence[int], log: MatchLog | None) -> Combination:
    """A combination of which only logged games have been played."""
    called = [names(every.bots)[bot] for bot in group]
    match = replace(every, bots=[every.bots[bot] for bot in group])
    return Combination(called, match, log.games(called, match) if log else {})


def _play(
    combination: Combination, jobs: int, progress: Progress, log: MatchLog | None, file: IO[str] | None
) -> Combination:
    called, match, known = combination.names, combination.match, combination.games
    bar = progress.add_task(" - ".join(called), total=match.games)
    played: dict[int, Played] = {}

    def note(game: Played) -> None:
        number = len(played)
        played[number] = game
        if log is not None and number not in known:
            log.append(called, match, number, game)
        if file is not None:
            print(record_line(called, game), file=file, flush=True)
        progress.advance(bar)

    play_match(match, jobs, note, known)
    return replace(combination, games=played)


def _say_what_is_known(resume: Path | None, found: Sequence[Combination]) -> None:
    known = sum(len(combination.games) for combination in found)
    total = sum(combination.match.games for combination in found)
    if known:
        typer.echo(f"{resume} has {known} of {total} games", err=True)
