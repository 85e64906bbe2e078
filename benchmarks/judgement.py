"""Measures how well analyses tell players apart: the accuracy of players of known kinds, from passive to strong.

Each game is played by two kinds of players and then analysed as the server does it: by one search that is kept from
move to move, with the usual samples. For each kind, prints its mean accuracy with its interval of 95 %, resampled by
game, its mean loss in the unit of the game (``engines/loss_units.py``) and its marks per game; and for each pair, how
often the winner had the higher accuracy.

    python -m benchmarks.judgement --game pyrat --variant tiny --games 20 --against strong

With ``--model``, a network evaluates, for the players and for the analyses, instead of the native evaluators.
"""

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise, product
from pathlib import Path
from statistics import mean
from typing import Any, Final

from benchmarks import levels
from benchmarks.resampling import mean_of
from benchmarks.self_play import EVALUATOR, searcher
from engines import Evaluation, Position, known_members, networks
from engines.bots import Bot, Player
from engines.effort import usual_samples
from engines.hindsight import MOVES_AHEAD
from engines.inference import Model
from engines.loss_units import loss_unit
from engines.native_calibrations import native_calibration
from engines.pool.job import AskedMove, Job, LastMove, Limits, Priority
from engines.pool.lanes import run_alone
from server.domain.accuracy import PlayedMove, Summary, played_moves, summarise

KINDS: Final = ("passive", levels.RANDOM, "greedy", *levels.LADDER[1:])

IDLE: Final = ("---", "STAY")
"""The moves of a seat that does nothing."""


class Passive:
    """Stands still or passes where that is possible; otherwise moves at random, and places no meeples."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - repeatable

    def choose(self, position: Position, seat: int) -> str:
        """Returns a move."""
        if not position.lists_moves:
            return position.check(IDLE[0], seat)
        legal = position.legal_moves(seat)
        idle = [move for move in legal if move in IDLE or self._is_without_meeple(position, move)]
        return self._random.choice(idle or legal)

    @staticmethod
    def _is_without_meeple(position: Position, move: str) -> bool:
        return position.game == "carcassonne" and " " not in move

    def played(self, move: str) -> None:
        """Does nothing: the choice does not depend on earlier moves."""

    def close(self) -> None:
        """Does nothing: there are no resources to free."""


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays which game."""

    game: str
    variant: str | None
    config: Mapping[str, Any]
    kinds: tuple[str, ...]
    seed: int
    network: Path | None = None

    @property
    def model(self) -> Model | None:
        """What evaluates, if it is a network."""
        return None if self.network is None else _loaded(self.network)


@cache
def _loaded(network: Path) -> Model:
    """The network of this process."""
    return networks.load([network], threads=1)[0]


@dataclass(frozen=True, slots=True)
class Judged:
    """A game, how the analysis sees each seat, and what the seats had in the end, in [-1, 1]."""

    match: Match
    seats: tuple[Summary, ...]
    results: tuple[float, ...]

    @property
    def names_the_winner(self) -> bool | None:
        """Whether the winners have a higher accuracy than the others, on average; None if all results are equal."""
        best = max(self.results)
        won, lost = (
            [
                seat.accuracy or 0.0
                for seat, result in zip(self.seats, self.results, strict=True)
                if (result == best) is is_best
            ]
            for is_best in (True, False)
        )
        return mean(won) > mean(lost) if lost else None


def player(kind: str, position: Position, seed: int, model: Model | None = None) -> Player:
    """A player of a kind, for a game that starts at ``position``."""
    if kind == "passive":
        return Passive(seed)
    if kind == "greedy":
        return Bot.parse(kind).player(position, Limits(1), seed)
    return levels.player(kind, position, seed, model)


def judged(match: Match) -> Judged:
    """Plays a game and analyses it."""
    members = {"seed": match.seed, "seats": len(match.kinds)}
    position = Position(match.game, match.variant, {**known_members(match.game, members), **match.config})
    start = position.copy()
    players = [
        player(kind, position, 2 * match.seed + seat, match.model) for seat, kind in enumerate(match.kinds)
    ]
    levels.play(position, players)
    evaluations = list(analysed(start, position.history, match.model))
    evaluations += [Evaluation.of_outcome(outcome) for outcome in [position.outcome] if outcome is not None]
    moves = chain.from_iterable(judgements(start, position.history, evaluations))
    return Judged(match, summarise(position.seats, moves), evaluations[-1].values)


def analysed(start: Position, moves: Sequence[str], model: Model | None = None) -> Iterator[Evaluation]:
    """The evaluations of the positions before each move."""
    new_search, run = searcher(start, model)
    search, samples = new_search(start, 0, {}), usual_samples(start.game)
    calibration = native_calibration(start) if model is None else model.calibrations.get(start.variant)
    name, shape = (EVALUATOR, None) if model is None else (model.name, model.signature.at(start))
    at, last = start.copy(), None
    for ply, move in enumerate(moves):
        asked = AskedMove(at.copy(), at.submitted(move))
        worth = None if calibration is None else calibration.at(at.progress)
        limits = Limits(samples)
        job = Job(
            search,
            limits,
            Priority.BATCH,
            name,
            shape,
            calibration=worth,
            asked=asked,
            following=moves[ply : ply + MOVES_AHEAD],
            last=last,
        )
        found = run_alone(job, run)
        yield found
        last = LastMove(asked, found)
        search.advance(move)
        at.play(move)


def judgements(
    start: Position, moves: Sequence[str], evaluations: Sequence[Evaluation]
) -> Iterator[tuple[PlayedMove, ...]]:
    """How each move changed the chances of the seats that made it."""
    at = start.copy()
    for move, (before, after) in zip(moves, pairwise(evaluations), strict=True):
        unit = loss_unit(at, before.source)
        yield played_moves(at.submitted(move), at.to_act, before, after, unit)
        at.play(move)


def main() -> None:
    """Plays the games and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="pyrat")
    parser.add_argument("--variant", default=None)
    parser.add_argument("--config", type=json.loads, default={})
    parser.add_argument(
        "--seats", type=int, default=2, help="one for each of --kinds, the others for --against"
    )
    parser.add_argument("--games", type=int, default=2, help="of each pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=KINDS)
    parser.add_argument("--against", nargs="*", choices=KINDS, default=["strong"])
    parser.add_argument("--model", type=Path, help="network that evaluates")
    options = parser.parse_args()
    matches = [
        Match(
            options.game,
            options.variant,
            options.config,
            _seated(kind, other, options.seats, seed),
            seed,
            options.model,
        )
        for kind, other in product(options.kinds, options.against)
        for seed in range(options.seed, options.seed + options.games)
    ]
    with ProcessPoolExecutor(options.jobs) as processes:
        games = list(processes.map(judged, matches))
    _print_kinds(games)
    _print_winners(games)


def _seated(kind: str, other: str, seats: int, number: int) -> tuple[str, ...]:
    """The players by seat; ``kind`` has each seat equally often."""
    return tuple(kind if (seat + number) % seats == 1 else other for seat in range(seats))


def _print_kinds(games: Sequence[Judged]) -> None:
    print("| player | games | accuracy | loss in units | inaccuracies, mistakes, blunders per game |")
    print("|---|---|---|---|---|")
    for kind in KINDS:
        own = [
            seat
            for game in games
            for seat in game.seats
            if game.match.kinds[seat.seat] == kind and seat.accuracy is not None
        ]
        if own:
            accuracy = mean_of([(seat.accuracy or 0.0, 1) for seat in own]).written(".1f")
            counts = [(seat.inaccuracies, seat.mistakes, seat.blunders) for seat in own]
            marks = ", ".join(f"{sum(column) / len(own):.1f}" for column in zip(*counts, strict=True))
            loss = mean(seat.mean_units or 0.0 for seat in own)
            print(f"| {kind} | {len(own)} | {accuracy} | {loss:.2f} | {marks} |")


def _print_winners(games: Sequence[Judged]) -> None:
    print("\n| pair | games with a winner | the winner had the higher accuracy |\n|---|---|---|")
    for pair in sorted({tuple(sorted(game.match.kinds)) for game in games}):
        named = [game.names_the_winner for game in games if tuple(sorted(game.match.kinds)) == pair]
        decided = [one for one in named if one is not None]
        if decided:
            print(f"| {' and '.join(pair)} | {len(decided)} | {sum(decided) / len(decided):.0%} |")


if __name__ == "__main__":
    main()
