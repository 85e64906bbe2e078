"""Measures what the values of the native evaluators are worth, and fits their calibrations.

An engine plays games against itself from random openings, with fewer samples than an evaluation. A few positions of
each game are then evaluated with the usual samples, each by a new search. Half of the games fit the map, and the
others test it: for groups of positions with similar values, the expected score that the map says and the mean score
that the games had. Intervals are of 95 %, resampled by game. The *error* is the mean absolute difference of the two,
weighted by the positions in each group.

``play`` adds games to a file, one JSON object a line; ``fit`` reads such files, prints the tables of
``docs/calibration.md``, and with ``--write`` replaces the maps in ``engines/native_calibrations.json``.

    python -m benchmarks.calibration play games.jsonl --only wallwars/standard --games 2000
    python -m benchmarks.calibration fit games.jsonl --write
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.resampling import Estimate, mean_of
from benchmarks.self_play import EVALUATOR, evaluate, play_on, start_of
from engines import Search
from engines.calibration import Calibration, Floats
from engines.effort import usual_samples
from engines.native_calibrations import FILE, read_maps, written

PLAY_SAMPLES: Final[Mapping[tuple[str, str], int]] = {
    ("wallwars", "standard"): 200,
    ("wallwars", "classic"): 200,
    ("hive", "Base+MLP"): 1000,
    ("carcassonne", "standard"): 60,
    ("pyrat", "medium"): 50,
}
"""The games and variants, all on the default board and with two seats, and the samples of a move in the games."""

OPENING: Final = 4
"""Random plies at the start of a game, where the seed does not deal anything."""

POSITIONS: Final = 10
"""The maximum number of positions of one game."""

GROUPS: Final = 10
"""Groups of equal size in a table."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """A finished game: seat 0's score, 1, ½ or 0, and seat 0's values in [-1, 1] in some of its positions."""

    game: str
    variant: str
    seed: int
    score: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Positions with similar values: their number, mean value, mean score by the map, and mean score in the games."""

    positions: int
    value: float
    expected: float
    score: Estimate


def sample(game: str, variant: str, seed: int, positions: int) -> Sampled:
    """Plays a game and evaluates some of its positions, drawn at random."""
    position = start_of(game, variant, seed, OPENING)
    copies = [at.copy() for at, _ in play_on(position, PLAY_SAMPLES[game, variant], seed)]
    rng = random.Random(seed)  # noqa: S311 - repeatable
    drawn = rng.sample(copies, min(positions, len(copies)))
    samples = usual_samples(game)
    values = tuple(evaluate(Search(one, EVALUATOR, seed=seed), samples).values[0] for one in drawn)
    result = position.outcome.values[0] if position.outcome else 0.0
    return Sampled(game, variant, seed, (result + 1) / 2, values)


def fit(games: Sequence[Sampled]) -> Calibration:
    """Fits a map to all positions of the games."""
    return Calibration.fit(*_columns(games))


def groups_of(games: Sequence[Sampled], calibration: Calibration) -> Iterator[Group]:
    """The groups of positions by value, in the order of the values. Proven ones, exactly ±1, are left out."""
    values, scores = _columns(games)
    owners = np.repeat(np.arange(len(games)), [len(game.values) for game in games])
    is_open = np.flatnonzero(np.abs(values) < 1.0)
    for group in np.array_split(is_open[np.argsort(values[is_open], kind="stable")], GROUPS):
        sums = np.bincount(owners[group], scores[group], len(games))
        counts = np.bincount(owners[group], minlength=len(games))
        score = mean_of(list(zip(sums.tolist(), counts.tolist(), strict=True)))
        expected = float(calibration.scores(values[group]).mean())
        yield Group(len(group), float(values[group].mean()), expected, score)


def error_of(groups: Iterable[Group]) -> float:
    """The mean absolute difference between expected and real scores, weighted by positions."""
    rows = [(group.positions, abs(group.expected - group.score.mean)) for group in groups]
    return sum(count * error for count, error in rows) / sum(count for count, _ in rows)


IDENTITY: Final = Calibration(((0.0, 0.5), (1.0, 1.0)))
"""The map of an evaluator whose value is exactly the expected result."""


def _columns(games: Sequence[Sampled]) -> tuple[Floats, Floats]:
    values = np.array([value for game in games for value in game.values])
    scores = np.array([game.score for game in games for _ in game.values])
    return values, scores


# ---- the command -----------------------------------------------------------------------------------


def main() -> None:
    """Runs ``play`` or ``fit``; without arguments, plays a few games of each kind and shows the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", nargs="?", choices=("play", "fit"))
    parser.add_argument("file", nargs="*", type=Path)
    parser.add_argument("--only", choices=["/".join(subject) for subject in PLAY_SAMPLES])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--positions", type=int, default=POSITIONS, choices=range(1, POSITIONS + 1))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.command == "fit":
        _fit([game for path in options.file for game in _read(path)], write=options.write)
    elif options.command == "play" and len(options.file) == 1:
        _append(options.file[0], _played(options))
    elif options.command == "play":
        parser.error("play writes to one file")
    else:
        _fit(list(_played(options)), write=False)


def _played(options: argparse.Namespace) -> Iterator[Sampled]:
    seeds = range(options.seed, options.seed + options.games)
    with ThreadPoolExecutor(options.jobs) as threads:
        for game, variant in PLAY_SAMPLES:
            if options.only in (None, f"{game}/{variant}"):

                def one(seed: int, game: str = game, variant: str = variant) -> Sampled:
                    return sample(game, variant, seed, options.positions)

                yield from threads.map(one, seeds)


def _append(path: Path, games: Iterable[Sampled]) -> None:
    with path.open("a") as file:
        for game in games:
            file.write(json.dumps(asdict(game)) + "\n")
            file.flush()


def _read(path: Path) -> Iterator[Sampled]:
    with path.open() as file:
        for line in file:
            row = json.loads(line)
            yield Sampled(**{**row, "values": tuple(row["values"])})


def _fit(games: Sequence[Sampled], *, write: bool) -> None:
    maps = read_maps()
    for game, variant in PLAY_SAMPLES:
        played = [one for one in games if (one.game, one.variant) == (game, variant)]
        if played:
            calibration = fit(played[::2])
            maps.setdefault(game, {})[variant] = calibration
            _print(f"{game}, {variant}", played, calibration)
    if write:
        FILE.write_text(written(maps))


def _print(subject: str, games: Sequence[Sampled], calibration: Calibration) -> None:
    tested = games[1::2]
    groups = list(groups_of(tested, calibration))
    before = error_of(groups_of(tested, IDENTITY))
    print(f"\n## {subject}\n")
    print(
        f"{len(games)} games, {sum(len(one.values) for one in games)} positions, half of them to fit the map."
    )
    print(f"Error with the map {error_of(groups):.1%}, without it {before:.1%}.\n")
    print("| positions | value | expected score by the map | score in the games |")
    print("|---|---|---|---|")
    for group in groups:
        expected = f"{group.expected:.1%}"
        print(f"| {group.positions} | {group.value:+.3f} | {expected} | {group.score.written('.1%')} |")
    print(flush=True)


if __name__ == "__main__":
    main()
