"""The named strategies: what each is called, which parameters it takes, and how it chooses a move.

A bot is written ``name`` or ``name:parameter=value:…``; ``time=MS`` is its own time for a move. A :class:`Bot` is that
description; a :class:`Player` is one bot in one seat of one game. Called by the arena and by whoever needs a strategy
outside the pool.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

from engines import Cache, Position, Search
from engines.inference import Model, ModelError
from engines.networks import choose
from engines.pool.job import Job, Limits, Priority
from engines.pool.lanes import run_alone, run_in_core
from engines.pool.model_lane import Desk


class UnknownBot(ValueError):
    """No bot or parameter of this name; the text names the nearest one."""


class Player(Protocol):
    """One bot in one seat of one game."""

    def choose(self, position: Position, seat: int) -> str:
        """A legal move of ``seat``, as a player submits it."""

    def played(self, move: str) -> None:
        """A recorded move was played, by whomever; not told of the one that ends the game."""

    def close(self) -> None:
        """The game is over, or will not begin: what was held for it is let go."""


PlayerFactory = Callable[[Position, Limits, int, Mapping[str, float]], Player]
"""Makes a player for a game that starts at the position: limits of a move, seed, and the parameters that were given."""


@dataclass(frozen=True)
class Strategy:
    """How a named bot plays: by a search of the core that is opened with ``options``, or by players of its own."""

    summary: str
    options: Mapping[str, Any] | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    """Names and defaults."""
    uses_network: bool = False
    player: PlayerFactory | None = None


NETWORK_PARALLEL = 4
"""Leaves in flight of a bot's own search, as in the pool."""

NETWORK_CACHE = 10_000
"""Evaluations that such a search keeps. It shares none: what the others do must not change it in the last digit."""

TIME = "time"
"""The parameter of every bot that searches: milliseconds for a move."""

LONGEST_MS = 86_400_000
"""A day."""

ALPHABETA_PARAMETERS = {"threads": 1, "hashMB": 16, "maxDepth": 200}
"""For games that are searched that way; the others refuse them."""

PUCT_PARAMETERS = {"puct": 1.5, "fpuReduction": 0.1}

STRATEGIES: dict[str, Strategy] = {
    "random": Strategy(
        "uniform over legal actions", player=lambda position, limits, seed, parameters: RandomPlayer(seed)
    ),
    "montecarlo": Strategy(
        "random continuations behind each action, in every game", {"search": "montecarlo"}, {"horizon": 0}
    ),
    "greedy": Strategy("the best single move by the native evaluator", {"search": "greedy"}),
    "puct": Strategy("PUCT with the native evaluator, in every game", {"search": "puct"}, PUCT_PARAMETERS),
    "native": Strategy(
        "the game's search with its native evaluator", {}, {**PUCT_PARAMETERS, **ALPHABETA_PARAMETERS}
    ),
    "network": Strategy("the same search with the smallest network that fits", {}, PUCT_PARAMETERS, True),
}
"""Every built-in bot, weakest first."""

PLUGINS = "plyhouse.bots"
"""The group of entry points by which installed packages add strategies; each names a :class:`Strategy`."""


def installed() -> dict[str, EntryPoint]:
    """The strategies that installed packages add, by name. Built-in names cannot be replaced."""
    return {entry.name: entry for entry in entry_points(group=PLUGINS) if entry.name not in STRATEGIES}


def strategy_of(name: str) -> Strategy:
    """The built-in or installed strategy of this name. UnknownBot."""
    if name in STRATEGIES:
        return STRATEGIES[name]
    plugins = installed()
    if name not in plugins:
        raise UnknownBot(f"unknown bot '{name}'{_nearest(name, [*STRATEGIES, *plugins])}")
    try:
        strategy = plugins[name].load()
    except Exception as error:  # code of somebody else
        raise UnknownBot(f"the bot '{name}' cannot be loaded: {error!r}") from error
    if not isinstance(strategy, Strategy):
        raise UnknownBot(f"the bot '{name}' cannot be loaded: {plugins[name].value} is no Strategy")
    return strategy


@dataclass(frozen=True)
class Bot:
    """A strategy with its parameters, as written."""

    text: str
    name: str
    parameters: Mapping[str, float]
    time_ms: float | None = None
    """Its own time for a move, whatever the limits of the others are."""

    @property
    def uses_network(self) -> bool:
        """Whether it can only play where a network fits."""
        return strategy_of(self.name).uses_network

    @classmethod
    def parse(cls, text: str) -> "Bot":
        """Reads ``name:parameter=value:…``. UnknownBot."""
        name, *settings = text.split(":")
        strategy = strategy_of(name)
        is_timed = strategy.options is not None or name not in STRATEGIES
        parameters: dict[str, float] = {}
        for setting in settings:
            key, _, value = setting.partition("=")
            if key not in strategy.parameters and not (key == TIME and is_timed):
                known = _nearest(key, strategy.parameters) or f": {name} takes none"
                raise UnknownBot(f"unknown parameter '{key}' of {name}{known}")
            try:
                parameters[key] = float(value)
            except ValueError:
                raise UnknownBot(f"{name}:{key} is '{value}', not a number") from None
        time_ms = parameters.pop(TIME, None)
        if time_ms is not None and not 1 <= time_ms < LONGEST_MS:
            raise UnknownBot(f"{name}:{TIME} is '{time_ms:g}', not milliseconds from 1 to {LONGEST_MS}")
        return cls(text, name, parameters, time_ms)

    def player(self, position: Position, limits: Limits, seed: int, models: Sequence[Model] = ()) -> Player:
        """This bot at the start of a game from ``position``.

        RuleError where the game has no search for it, ModelError where it needs a network and none fits.
        """
        strategy = strategy_of(self.name)
        limits = limits if self.time_ms is None else Limits(None, self.time_ms)
        if strategy.player is not None:
            return strategy.player(position, limits, seed, {**strategy.parameters, **self.parameters})
        options = {**(strategy.options or {}), **self.parameters}
        if not strategy.uses_network:
            return SearchPlayer(Search(position, "native", options, seed), limits, "native", run_in_core)
        model = _network(models, position)
        search = Search(position, "planes", options, seed)
        return SearchPlayer(search, limits, model.name, _desk(model).run)


def _nearest(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, list(known), n=1, cutoff=0.0)
    return f": did you mean '{close[0]}'?" if close else ""


def _network(models: Sequence[Model], position: Position) -> Model:
    """The network for a game. ModelError: none fits."""
    model = choose(models, position)
    if model is not None:
        return model
    reasons = [f"{model.name}: {model.signature.refusal(position)}" for model in models]
    raise ModelError(f"no network fits this game ({'; '.join(reasons) or 'there is none'})")


def _desk(model: Model) -> Desk:
    capacity = model.capacity(NETWORK_PARALLEL)
    return Desk(model, Cache(NETWORK_CACHE), capacity, min(capacity, NETWORK_PARALLEL))


class RandomPlayer:
    """Chooses uniformly over legal actions, one action of a move at a time."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, seat: int) -> str:
        """A random move."""
        return random_move(position, seat, self._random)

    def played(self, move: str) -> None:
        """Remembers nothing."""

    def close(self) -> None:
        """Holds nothing."""


def random_move(position: Position, seat: int, rng: random.Random) -> str:
    """A move made of uniformly drawn legal actions; where whole moves are listed, one of them."""
    if position.lists_moves:
        return rng.choice(position.legal_moves(seat))
    staged = ""
    while actions := position.legal_actions(seat, staged):
        staged = f"{staged}.{rng.choice(actions)}" if staged else rng.choice(actions)
    return position.check(staged, seat)


class SearchPlayer:
    """Plays the best move of a search whose tree survives the moves of the game."""

    def __init__(
        self, search: Search, limits: Limits, source: str, run: Callable[[Search, int], int]
    ) -> None:
        """``run`` does some of the simulations that are wanted, as in ``run_alone``."""
        self._search = search
        self._limits = limits
        self._source = source
        self._run = run

    def choose(self, position: Position, seat: int) -> str:
        """The search's best move within the limits."""
        del position, seat  # the search follows the game itself
        return run_alone(Job(self._search, self._limits, Priority.BATCH, self._source), self._run).best_move

    def played(self, move: str) -> None:
        """Moves the root."""
        self._search.advance(move)

    def close(self) -> None:
        """The tree goes with the player."""
