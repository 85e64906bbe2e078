"""Measures what the values of the native evaluators or of a network are worth, and fits their calibrations.

An engine plays games against itself from random openings, with fewer samples than an evaluation. A few positions of
each game are then evaluated with the usual samples, each by a new search. Half of the games fit the map, and the
others test it: for groups of positions with similar values, the expected score that the map says and the mean score
that the games had. Intervals are of 95 %, resampled by game. The *error* is the mean absolute difference of the two,
weighted by the positions in each group (``reliability.py``).

``play`` adds games to a file, one JSON object a line; ``fit`` reads such files, prints the tables of
``docs/calibration.md``, draws them with ``--plot`` (needs matplotlib), and with ``--write`` replaces the maps in
``engines/native_calibrations.json``. With ``--model``, a network evaluates; ``--out`` writes the maps of one game, by
variant, for its card (``tools/card.py``).

    python -m benchmarks.calibration play games.jsonl --only wallwars/standard --games 2000
    python -m benchmarks.calibration play games.jsonl --only hive/Base --games 2000 --ray auto
    python -m benchmarks.calibration fit games.jsonl --write
    python -m benchmarks.calibration play small.jsonl --model small.onnx --only wallwars/classic --games 1000
    python -m benchmarks.calibration fit small.jsonl --out maps.json
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

import benchmarks
from benchmarks import reliability
from benchmarks.reliability import Reliability, Sampled
from benchmarks.self_play import EVALUATOR, evaluate, fits, play_on, searcher, start_of
from engines import networks
from engines.effort import usual_samples
from engines.executors.executor import LocalExecutor, TaskExecutor, in_order
from engines.executors.ray_cluster import ClusterFailed, cluster
from engines.executors.ray_executor import RayExecutor
from engines.inference import Model
from engines.native_calibrations import FILE, Maps, read_maps, written

PLAY_SAMPLES: Final[Mapping[tuple[str, str, int], int]] = {
    ("wallwars", "standard", 2): 200,
    ("wallwars", "classic", 2): 200,
    ("hive", "Base+MLP", 2): 1000,
    ("hive", "Base", 2): 1000,
    **{("carcassonne", "standard", seats): 60 for seats in range(2, 6)},
    ("pyrat", "medium", 2): 50,
}
"""The games, variants and seats, all on the default board, and the samples of a move in the games."""

OPENING: Final = 4
"""Random plies at the start of a game, where the seed does not deal anything."""

POSITIONS: Final = 10
"""The maximum number of positions of one game."""


def sample(subject: tuple[str, str, int], seed: int, positions: int, model: Model | None = None) -> Sampled:
    """Plays a game and evaluates some of its positions, drawn at random."""
    game, variant, seats = subject
    position = start_of(game, variant, seed, OPENING, seats=seats)
    new_search, run = searcher(position, model)
    copies = [at.copy() for at, _ in play_on(position, PLAY_SAMPLES[subject], seed)]
    rng = random.Random(seed)  # noqa: S311 - repeatable
    drawn = rng.sample(copies, min(positions, len(copies)))
    samples = usual_samples(game)
    values = tuple(evaluate(new_search(one, seed, {}), samples, run).values for one in drawn)
    results = position.outcome.values if position.outcome else [0.0] * seats
    scores = tuple((result + 1) / 2 for result in results)
    at = tuple(one.progress for one in drawn)
    return Sampled(game, variant, seed, scores, values, at, EVALUATOR if model is None else model.name)


# ---- the command -----------------------------------------------------------------------------------


def main() -> None:
    """Runs ``play`` or ``fit``; without arguments, plays a few games of each kind and shows the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", nargs="?", choices=("play", "fit"))
    parser.add_argument("file", nargs="*", type=Path)
    parser.add_argument("--only", choices=[_name(*subject) for subject in PLAY_SAMPLES])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--positions", type=int, default=POSITIONS, choices=range(1, POSITIONS + 1))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--jobs", type=int, help="games at once (default: 1; on a cluster, one for each core)"
    )
    parser.add_argument("--ray", help="Ray cluster that plays: auto, HOST:PORT or ray://HOST:PORT")
    parser.add_argument("--model", type=Path, help="network that evaluates, instead of the native evaluators")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--plot", type=Path, help="SVG file for the curves")
    parser.add_argument("--out", type=Path, help="file for the maps of one game, by variant")
    options = parser.parse_args()
    if options.jobs is not None and options.jobs < 1:
        parser.error(f"--jobs is {options.jobs}, not 1 or more")
    if options.command == "fit":
        games = [game for path in options.file for game in _read(path)]
        evaluators = {game.evaluator for game in games}
        if len(evaluators) > 1:
            parser.error(f"games of several evaluators: {', '.join(sorted(evaluators))}")
        if options.write and evaluators != {EVALUATOR}:
            parser.error("--write is for the native evaluators; --out writes the maps of a network")
        measured = _fit(games)
        maps = _maps(measured)
        if options.plot is not None:
            _plot(options.plot, measured)
        if options.write:
            FILE.write_text(written(_with(read_maps(), maps)))
        if options.out is not None:
            options.out.write_text(_of_one_game(maps))
    elif options.command == "play" and len(options.file) == 1:
        _append(options.file[0], _played(options))
    elif options.command == "play":
        parser.error("play writes to one file")
    else:
        _fit(list(_played(options)))


def _played(options: argparse.Namespace) -> Iterator[Sampled]:
    seeds = range(options.seed, options.seed + options.games)
    loaded = [] if options.model is None else networks.load([options.model], threads=options.jobs or 1)
    with _executor(options) as executor:
        model = next(iter(executor.networks(loaded)), None)
        for subject in PLAY_SAMPLES:
            if options.only in (None, _name(*subject)) and fits(model, *subject[:2]):
                task = partial(_sample, subject, options.positions, model)
                yield from in_order(executor, task, seeds)


def _sample(subject: tuple[str, str, int], positions: int, model: Model | None, seed: int) -> Sampled:
    return sample(subject, seed, positions, model)


@contextmanager
def _executor(options: argparse.Namespace) -> Iterator[TaskExecutor]:
    if options.ray is None:
        with LocalExecutor(options.jobs or 1) as executor:
            yield executor
        return
    try:
        with cluster(options.ray) as ray:
            # The wheel on the nodes has no benchmarks: their code goes with the tasks.
            ray.cloudpickle.register_pickle_by_value(benchmarks)
            with RayExecutor(ray, options.jobs) as remote:
                yield remote
    except ClusterFailed as error:
        raise SystemExit(str(error)) from None


def _name(game: str, variant: str, seats: int) -> str:
    return f"{game}/{variant}" if seats == 2 else f"{game}/{variant}/{seats}"


def _append(path: Path, games: Iterable[Sampled]) -> None:
    with path.open("a") as file:
        for game in games:
            file.write(json.dumps(asdict(game)) + "\n")
            file.flush()


def _read(path: Path) -> Iterator[Sampled]:
    with path.open() as file:
        for line in file:
            row = json.loads(line)
            columns = {name: tuple(row[name]) for name in ("scores", "at")}
            yield Sampled(**{**row, **columns, "values": tuple(map(tuple, row["values"]))})


def _fit(games: Sequence[Sampled]) -> list[Reliability]:
    """Fits the maps of all games that were played, and prints their tables."""
    measured = []
    for subject in PLAY_SAMPLES:
        played = [one for one in games if (one.game, one.variant, one.seats) == subject]
        if played:
            measured.append(reliability.measure(played))
            print(f"\n{measured[-1]}", flush=True)
    return measured


def _maps(measured: Iterable[Reliability]) -> Maps:
    maps: Maps = {}
    for one in measured:
        maps.setdefault(one.game, {}).setdefault(one.variant, {})[one.seats] = one.calibration
    return maps


def _with(known: Maps, more: Maps) -> Maps:
    """All known maps, where there are none of the same kind among the others."""
    for game, variants in more.items():
        for variant, by_seats in variants.items():
            known.setdefault(game, {}).setdefault(variant, {}).update(by_seats)
    return known


def _plot(path: Path, measured: Sequence[Reliability]) -> None:
    try:
        from benchmarks.reliability_plot import plot
    except ImportError as error:
        raise SystemExit(f"--plot needs matplotlib: install plyhouse[train] ({error})") from error
    plot(path, measured)


def _of_one_game(maps: Maps) -> str:
    """The calibrations for two seats by variant, as JSON. Exits if there are maps of several games, or none."""
    if len(maps) != 1:
        raise SystemExit(f"--out is for the games of one kind, not of {len(maps)}")
    (variants,) = maps.values()
    return json.dumps({variant: by_seats[2].write() for variant, by_seats in variants.items()}) + "\n"


if __name__ == "__main__":
    main()
