"""The named strategies: what each is called, which parameters it takes, and how it chooses a move.

A bot is written ``name`` or ``name:parameter=value:…``; ``time=MS`` is its own time for a move. A :class:`Bot` is that
description; a :class:`Player` is one bot in one seat of one game. Called by the arena and by other code that needs a
strategy outside the pool.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

from engines import Cache, Evaluation, Position, Search
from engines.bot_parameters import (
    EVALUATOR,
    MCGS_PARAMETERS,
    NOISE_PARAMETERS,
    ORDER,
    OWN_ORDER,
    RAVE_PARAMETERS,
    SEED_PARAMETERS,
    SIMULATIONS,
    TIME_LIMIT,
    UCT_PARAMETERS,
    Parameter,
    full_name,
    names,
    read_parameter,
)
from engines.evaluation import NATIVE
from engines.game_calibration import GameCalibration
from engines.inference import Model, ModelError, choose
from engines.native_calibrations import native_calibration
from engines.near_names import known_names
from engines.pool.job import Job, Limits, Priority
from engines.pool.lanes import run_alone, run_in_core
from engines.pool.model_lane import BatchRunner


class UnknownBot(ValueError):
    """Unknown bot or parameter name; the text suggests the nearest one."""


class Player(Protocol):
    """One bot in one seat of one game."""

    def choose(self, position: Position, seat: int) -> str:
        """Returns a legal move for ``seat``, as a player would submit it."""

    def played(self, move: str) -> None:
        """Called after every recorded move by any seat, except for the one that ends the game."""

    def close(self) -> None:
        """Frees the player's resources when the game is over or will not start."""


PlayerFactory = Callable[[Position, Limits, int, Mapping[str, Parameter]], Player]
"""Makes a player for a game that starts at the given position; arguments: position, limits, seed, parameters."""


@dataclass(frozen=True)
class Strategy:
    """How a named bot plays: with a core search opened with ``options``, or with players made by ``player``."""

    summary: str
    options: Mapping[str, Any] | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    """Default values by parameter name; their types are the types of the parameters."""
    uses_network: bool = False
    player: PlayerFactory | None = None


NETWORK_PARALLEL = 4
"""Leaves evaluated at once in a bot's own search; the same as in the pool."""

NETWORK_CACHE = 10_000
"""Cache entries of such a search. Caches are not shared, so that other searches cannot change its last digits."""

TIME = "time"
"""A parameter of every bot that searches: milliseconds per move."""

LONGEST_MS = 86_400_000
"""One day."""

MOST_SIMULATIONS = 1_000_000_000

ALPHABETA_PARAMETERS = {"threads": 1, "hashMB": 16, "maxDepth": 200}
"""For games searched by alpha-beta; other games refuse them."""

PUCT_PARAMETERS: Mapping[str, Parameter] = {"puct": 1.5, "fpuReduction": 0.1, **NOISE_PARAMETERS}

STRATEGIES: dict[str, Strategy] = {
    "random": Strategy(
        "uniform over legal actions", player=lambda position, limits, seed, parameters: RandomPlayer(seed)
    ),
    "montecarlo": Strategy(
        "random continuations after each action, in every game", {"search": "montecarlo"}, {"horizon": 0}
    ),
    "greedy": Strategy(
        "the move that an evaluator rates best, without searching; in PyRat, the way to the nearest cheese",
        {"search": "greedy"},
        {EVALUATOR: "native", **NOISE_PARAMETERS},
    ),
    "puct": Strategy(
        "PUCT with the native evaluator, for two seats that alternate", {"search": "puct"}, PUCT_PARAMETERS
    ),
    "mcts-seed": Strategy(
        "UCT as first published, for comparison",
        {"search": "uct", "preset": "seed", ORDER: "seed"},
        SEED_PARAMETERS,
    ),
    "mcts": Strategy(
        "UCT over several deals of what is hidden, for seats that act one at a time",
        {"search": "uct"},
        UCT_PARAMETERS,
    ),
    "mcts+rave": Strategy("the same with RAVE", {"search": "uct", "use_rave": True}, RAVE_PARAMETERS),
    "mcgs": Strategy("graph search, for two seats that act together", {"search": "mcgs"}, MCGS_PARAMETERS),
    "native": Strategy(
        "the game's search with an evaluator of its own",
        {},
        {**PUCT_PARAMETERS, **ALPHABETA_PARAMETERS, EVALUATOR: "native"},
    ),
    "network": Strategy("the same search with the smallest network that fits", {}, PUCT_PARAMETERS, True),
}
"""Every built-in bot, weakest first."""

PLUGINS = "plyhouse.bots"
"""The entry point group through which installed packages add strategies; each entry names a :class:`Strategy`."""


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]*")
"""A name that can be written in a list of bots with parameters (``name:parameter=value,name``)."""

_registered: dict[str, Strategy] = {}
"""Strategies added by this program and those of installed packages that have been loaded."""


def installed() -> dict[str, EntryPoint]:
    """Strategies added by installed packages, by name. Built-in names cannot be replaced."""
    return {entry.name: entry for entry in entry_points(group=PLUGINS) if entry.name not in STRATEGIES}


def register_strategy(name: str, strategy: Strategy) -> None:
    """Gives a strategy a name in this process, as an entry point of the group ``plyhouse.bots`` does in every one.

    A name consists of letters, digits and ``+ . _ -``. Raises ValueError for other names and for those of built-in,
    installed or registered strategies.
    """
    if not isinstance(strategy, Strategy):
        raise TypeError(f"{strategy!r} is not a Strategy")
    if NAME.fullmatch(name) is None:
        raise ValueError(f"'{name}' cannot be the name of a bot: use letters, digits and + . _ -")
    if name in {**STRATEGIES, **_registered, **installed()}:
        raise ValueError(f"there is a bot '{name}' already")
    _registered[name] = strategy


def get_strategy(name: str) -> Strategy:
    """The built-in, installed or registered strategy with this name. Raises UnknownBot, which names the nearest one."""
    found = STRATEGIES.get(name) or _registered.get(name)
    if found is not None:
        return found
    plugins = installed()
    if name not in plugins:
        raise UnknownBot(f"unknown bot '{name}'{known_names(name, [*STRATEGIES, *_registered, *plugins])}")
    _registered[name] = _loaded(plugins[name])
    return _registered[name]


def _loaded(entry: EntryPoint) -> Strategy:
    try:
        strategy = entry.load()
    except Exception as error:  # third-party code may raise anything
        raise UnknownBot(f"the bot '{entry.name}' cannot be loaded: {error!r}") from error
    if not isinstance(strategy, Strategy):
        raise UnknownBot(f"the bot '{entry.name}' cannot be loaded: {entry.value} is not a Strategy")
    return strategy


@dataclass(frozen=True)
class Bot:
    """A strategy with its parameters, as written."""

    text: str
    name: str
    parameters: Mapping[str, Parameter]
    time_ms: float | None = None
    """The bot's own time per move; replaces the limits of the match."""
    samples: int | None = None
    """The bot's own samples per action; replaces the limits of the match."""

    @property
    def uses_network(self) -> bool:
        """Whether the bot can only play games for which a network is available."""
        return get_strategy(self.name).uses_network

    @classmethod
    def parse(cls, text: str) -> "Bot":
        """Reads ``name:parameter=value:…``. Raises UnknownBot."""
        name, *settings = text.split(":")
        strategy = get_strategy(name)
        is_timed = strategy.options is not None or name not in STRATEGIES
        parameters: dict[str, Parameter] = {}
        for setting in settings:
            written, _, value = setting.partition("=")
            key = full_name(written, strategy.parameters)
            if key not in strategy.parameters and not (key == TIME and is_timed):
                known = known_names(written, names(strategy.parameters)) or f": {name} takes none"
                raise UnknownBot(f"unknown parameter '{written}' of {name}{known}")
            try:
                parameters[key] = read_parameter(value, strategy.parameters.get(key, 0.0))
            except ValueError as error:
                raise UnknownBot(f"{name}:{written} is '{value}', {error}") from None
        samples = _own_limit(name, SIMULATIONS, parameters, "simulations", MOST_SIMULATIONS)
        time_ms = _own_limit(name, TIME, parameters, "milliseconds", LONGEST_MS)
        time_ms = _own_limit(name, TIME_LIMIT, parameters, "milliseconds", LONGEST_MS) or time_ms
        return cls(text, name, parameters, time_ms, None if samples is None else int(samples))

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model] = ()) -> Player:
        """Returns a player for one game that starts at ``position``.

        Raises RuleError if the game does not support the bot's search, ModelError if no network fits.
        """
        strategy = get_strategy(self.name)
        if self.time_ms is not None or self.samples is not None:
            limits = Limits(self.samples, self.time_ms)
        if strategy.player is not None:
            return strategy.player(position, limits, seed, {**strategy.parameters, **self.parameters})
        if not strategy.uses_network:
            search, evaluator = self.open_search(position, seed)
            calibration = native_calibration(position) if evaluator == NATIVE else None
            return SearchPlayer(search, limits, evaluator, run_in_core, calibration)
        options = {**(strategy.options or {}), **self.parameters}
        return network_player(_network(models, position), position, limits, seed, options)

    def open_search(self, position: Position, seed: int) -> tuple[Search, str]:
        """Returns a new search without a network, and the name of its evaluator.

        Raises RuleError if the game does not support it.
        """
        strategy = get_strategy(self.name)
        options = {**(strategy.options or {}), **self.parameters}
        evaluator = str(options.pop(EVALUATOR, strategy.parameters.get(EVALUATOR, "native")))
        if options.get(ORDER) == OWN_ORDER:
            del options[ORDER]
        return Search(position, evaluator, options, seed), evaluator


def _own_limit(name: str, key: str, parameters: dict[str, Parameter], unit: str, most: float) -> float | None:
    """Removes a limit from the parameters and returns it; None if there is none, or if it is 0 by default."""
    if key not in parameters:
        return None
    limit = float(parameters.pop(key))
    if limit == 0 and get_strategy(name).parameters.get(key) == 0:
        return None
    if not 1 <= limit < most:
        raise UnknownBot(f"{name}:{key} is '{limit:g}', not {unit} from 1 to {most}")
    return limit


def _network(models: Sequence[Model], position: Position) -> Model:
    """The network for a game. Raises ModelError if none fits."""
    model = choose(models, position)
    if model is not None:
        return model
    reasons = [f"{model.name}: {model.signature.refusal(position)}" for model in models]
    raise ModelError(f"no network fits this game ({'; '.join(reasons) or 'there is none'})")


def network_player(
    model: Model, position: Position, limits: Limits, seed: int, options: Mapping[str, Any] | None = None
) -> "SearchPlayer":
    """A player that searches with this network. Raises RuleError if the game does not support the search."""
    search = Search(position, "planes", options, seed)
    calibration = model.calibrations.get(position.variant)
    return SearchPlayer(search, limits, model.name, batch_runner(model, position).run, calibration)


def batch_runner(model: Model, position: Position) -> BatchRunner:
    """A runner for a single search from this position, with a cache of its own."""
    capacity, cache = model.capacity(NETWORK_PARALLEL), Cache(NETWORK_CACHE)
    return BatchRunner(model, model.signature.at(position), cache, capacity, min(capacity, NETWORK_PARALLEL))


class RandomPlayer:
    """Chooses uniformly over legal actions, one action of a move at a time."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, seat: int) -> str:
        """Returns a random move."""
        return random_move(position, seat, self._random)

    def played(self, move: str) -> None:
        """Does nothing: the choice does not depend on earlier moves."""

    def close(self) -> None:
        """Does nothing: there are no resources to free."""


def random_move(position: Position, seat: int, rng: random.Random) -> str:
    """Draws a legal move uniformly where moves are listed; elsewhere, draws its actions one by one."""
    if position.lists_moves:
        return rng.choice(position.legal_moves(seat))
    staged = ""
    while actions := position.legal_actions(seat, staged):
        staged = f"{staged}.{rng.choice(actions)}" if staged else rng.choice(actions)
    return position.check(staged, seat)


class SearchPlayer:
    """Plays the best move of a search and keeps the search tree between moves."""

    def __init__(
        self,
        search: Search,
        limits: Limits,
        source: str,
        run: Callable[[Search, int], int],
        calibration: GameCalibration | None = None,
    ) -> None:
        """``run`` runs some of the wanted simulations, as in ``run_alone``.

        ``calibration``: what the values of its evaluator are worth, if that is known.
        """
        self._search = search
        self._limits = limits
        self._source = source
        self._run = run
        self._calibration = calibration
        self._judged: tuple[float, Evaluation] | None = None
        """The progress of the game when it last chose a move, and its evaluation then."""

    def choose(self, position: Position, seat: int) -> str:
        """Returns the seat's part of the best move found within the limits."""
        job = Job(self._search, self._limits, Priority.BATCH, self._source)
        evaluation = run_alone(job, self._run)  # the search has its own copy, updated by played()
        self._judged = position.progress, evaluation
        best_move = evaluation.best_move
        acting = position.to_act
        return best_move.split("/")[acting.index(seat)] if len(acting) > 1 else best_move

    def expected_score(self, seat: int) -> float:
        """The seat's expected score in [0, 1] when the player last chose a move; ½ before."""
        if self._judged is None:
            return 0.5
        progress, evaluation = self._judged
        if self._calibration is None:
            return evaluation.value_share(seat)
        return float(self._calibration.at(progress).chances(evaluation.values)[seat])

    def played(self, move: str) -> None:
        """Advances the root of the search."""
        self._search.advance(move)

    def close(self) -> None:
        """Does nothing: the tree is freed together with the player."""
