"""The native core: rules and search of every game. The only hand-written list of what it offers."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "BadConfig",
    "BadNotation",
    "Batch",
    "Cache",
    "Game",
    "IllegalMove",
    "Line",
    "Outcome",
    "Position",
    "Report",
    "RuleError",
    "Search",
    "games",
    "read_position",
]

class RuleError(ValueError):
    """A game refused something; whatever was asked left no trace. ``str(error)`` is one sentence."""

class IllegalMove(RuleError):
    """Readable, but the rules forbid it in this position."""

class BadNotation(RuleError):
    """Not in the game's notation."""

class BadConfig(RuleError):
    """An unknown game or variant, or a configuration that no game starts from."""

@final
class Game:
    """A row of the catalogue."""

    @property
    def name(self) -> str: ...
    @property
    def variants(self) -> list[str]:
        """Default first."""
    @property
    def seats(self) -> tuple[int, int]:
        """Fewest and most seats."""
    @property
    def listed(self) -> bool:
        """Whether the game is offered to users; the toy games that hold the contract are not."""
    @property
    def about(self) -> dict[str, Any]:
        """Board limits, notation and edition notes, as ``GET /api/rules`` shows them."""

def games() -> list[Game]:
    """The catalogue, in its order."""

def read_position(game: str, text: str, variant: str | None = None) -> Position:
    """A position from its text: JSON ``{"config", "moves"}`` or a bare config.

    ``config.variant`` wins over ``variant``.

    Raises BadConfig, BadNotation or IllegalMove.
    """

@final
class Outcome:
    """How a game ended."""

    @property
    def winners(self) -> list[int]:
        """The seats in the first place; empty in a draw, where all of them are."""
    @property
    def places(self) -> list[int]:
        """The place of each seat, 1 the best; equal seats share one, and the next ones move down: 1, 2, 2, 4."""
    @property
    def reason(self) -> str: ...
    @property
    def scores(self) -> list[float] | None:
        """Final points per seat, in games that have points."""
    @property
    def values(self) -> list[float]:
        """Worth per seat: +1, 0 or -1."""

@final
class Position:
    """A state of play of any game, with the moves that led to it."""

    def __new__(cls, game: str, variant: str | None = None, config: Mapping[str, Any] | None = None) -> Self:
        """The start position. BadConfig.

        ``variant`` defaults to the game's first, ``config`` to the variant's start.
        """
    @property
    def game(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def config(self) -> dict[str, Any]:
        """The complete public start configuration, nothing defaulted, without game and variant."""
    @property
    def secret(self) -> dict[str, Any]:
        """What ``config`` leaves out while the game runs (the seed of a hidden order); often empty."""
    @property
    def seats(self) -> int: ...
    @property
    def ply(self) -> int:
        """Moves played."""
    @property
    def key(self) -> int:
        """128-bit hash of everything that the rest of the game depends on."""
    def information_key(self, seat: int) -> int:
        """128-bit hash of what ``seat`` knows of that: equal after every ``redeal`` for this seat."""
    @property
    def to_act(self) -> list[int]:
        """Seats that must move now; empty when the game is over."""
    @property
    def history(self) -> list[str]:
        """The moves played, canonical, with the tails of hidden games and ply-less forfeits (``!1``)."""
    @property
    def outcome(self) -> Outcome | None: ...
    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What ``seat`` (None: a spectator) may see."""
    @property
    def lists_moves(self) -> bool:
        """Whether whole moves are few enough to list."""
    def legal_moves(self, seat: int | None = None) -> list[str]:
        """Whole moves of ``seat`` (default: the first that acts). RuleError where ``lists_moves`` is false."""
    def legal_actions(self, seat: int | None = None, staged: str = "") -> list[str]:
        """Single actions of ``seat`` after the staged beginning of a move; empty where the move is complete."""
    def legal(self, seat: int | None = None, staged: str = "") -> list[str]:
        """What a player chooses from: whole moves where they are listed and nothing is staged, else actions."""
    def can_finish(self, seat: int | None = None, staged: str = "") -> bool:
        """Whether the staged beginning of a move, or nothing at all, may be submitted as the whole move."""
    def check(self, move: str, seat: int | None = None) -> str:
        """The canonical text of a legal move as a player submits it (no tail). The position is unchanged."""
    def play(self, *moves: str) -> list[dict[str, Any]]:
        """Plays recorded moves in order, all or nothing, and returns the events.

        Joint moves are written ``a/b``; ``!1`` says that seat 1 leaves.
        """
    def forfeit(self, seat: int) -> None: ...
    def undo(self) -> None:
        """Takes back the last history entry. IllegalMove at the start."""
    def copy(self) -> Position: ...
    def redeal(self, seat: int, seed: int) -> None:
        """Reorders what ``seat`` cannot know. RuleError where nothing is hidden."""
    def write(self) -> str:
        """The text that ``read_position`` reads: JSON ``{"config", "moves"}``; config carries the variant."""
    def fits(self, planes: int, dim2: int, dim3: int, policy: int, values: int) -> str | None:
        """None when a model of these tensor shapes can evaluate the game, else why not."""
    def perft(self, depth: int, threads: int = 1) -> int:
        """Leaves of the tree of actions (simultaneous: of joint actions) ``depth`` deep. Releases the GIL."""

@final
class Line:
    """One candidate move of a report."""

    @property
    def move(self) -> str: ...
    @property
    def visits(self) -> int: ...
    @property
    def value(self) -> float:
        """For the seat that moves, in [-1, 1]. Alpha-beta: all moves but the best are only known not to exceed it."""
    @property
    def pv(self) -> list[str]:
        """The principal variation in whole moves, this one first."""

@final
class Report:
    """What a search knows. Taking it changes nothing."""

    @property
    def best_move(self) -> str | None:
        """Canonical, joint (``a/b``) where seats act together; None before the first simulation."""
    @property
    def values(self) -> list[float]:
        """Per seat, in [-1, 1]: exact where settled, else that of the best move (PUCT: the mean behind it)."""
    @property
    def policies(self) -> list[list[tuple[str, float]]]:
        """For each seat to act, in seat order: moves and their probabilities, the likeliest first.

        PUCT: each move's share of the visits. Other searches: the move that they settle on.
        """
    @property
    def visits(self) -> int:
        """Visits of the root, its own evaluation included."""
    @property
    def inherited(self) -> int:
        """Those of them that the root had when it became the root."""
    @property
    def nodes(self) -> int:
        """Nodes held; of alpha-beta, positions in its table."""
    @property
    def depth(self) -> int:
        """Actions looked ahead by the last complete step of alpha-beta; 0 for searches without such steps."""
    @property
    def lines(self) -> list[Line]:
        """Best first."""

@final
class Search:
    """A search from a position. Deterministic for a seed and a sequence of evaluations (alpha-beta: with one thread).

    Thread-safe.
    """

    def __new__(
        cls,
        position: Position,
        evaluator: str = "native",
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> Self:
        """``evaluator``: one of the game's own, or ``"planes"``: leaves are gathered and absorbed by a ``Batch``.

        ``options``: ``{"search": "puct" | "alphabeta" | "greedy" | "montecarlo"}`` (default: the game's) with single
        settings of that search; of PUCT also ``{"preset": "default" | "reference" | "self-play"}``, of alpha-beta
        ``threads``, ``hashMB`` and ``maxDepth`` (in actions), of montecarlo ``horizon`` (random actions before the
        evaluator is asked). Unknown ones raise BadConfig.
        """
    @property
    def is_batched(self) -> bool:
        """Whether its evaluations come from a ``Batch``; otherwise ``run`` brings it forward."""
    def run(self, simulations: int, milliseconds: int | None = None) -> int:
        """Runs simulations with an own evaluator, without the GIL, and no longer than that; the number done.

        ValueError for a batched search. At least one, unless nothing is left to search. A simulation of alpha-beta is
        one node visited.
        """
    def interrupt(self) -> None:
        """Ends a ``run`` under way in another thread, else the next one, after a few simulations."""
    def focus(self) -> bool:
        """Fixes the best action found so far and searches behind it; False when the move needs no further action."""
    @property
    def focus_visits(self) -> int:
        """Visits of the state behind the fixed actions; those of the root where nothing can be fixed."""
    def unfocus(self) -> None: ...
    def advance(self, move: str) -> None:
        """Plays a recorded move; the child becomes the root with its visits, the rest is freed."""
    def report(self, lines: int = 1) -> Report: ...
    @property
    def visits(self) -> int: ...
    @property
    def bytes(self) -> int:
        """Memory held by the tree."""
    def bytes_for(self, simulations: int) -> int:
        """Memory that a move usually takes with so many simulations for each of its actions."""

@final
class Cache:
    """What a model said about the positions evaluated last; the least recently used make room. Thread-safe."""

    def __new__(cls, capacity: int) -> Self:
        """At most ``capacity`` entries; 0 keeps none. An entry of an 8x8 Wallwars board takes about 360 bytes."""
    @property
    def capacity(self) -> int: ...
    @property
    def hits(self) -> int:
        """Leaves that needed no evaluation of their own, since the start."""
    @property
    def misses(self) -> int:
        """Leaves that a model had to evaluate, since the start."""
    def __len__(self) -> int: ...

@final
class Batch:
    """Gathers leaves of many searches into one buffer and scatters the results."""

    def __new__(cls, planes: int, dim2: int, dim3: int, policy: int, values: int, cache: Cache) -> Self: ...
    def gather(
        self,
        searches: Sequence[Search],
        wanted: Sequence[int],
        parallel: int,
        planes: npt.NDArray[np.float32],
    ) -> int:
        """Advances search ``i`` by at most ``wanted[i]`` simulations until ``parallel`` of its leaves need the model.

        Writes their planes into ``planes``, of shape ``(capacity, planes, dim2, dim3)`` with a capacity of ``parallel``
        rows per search, and returns the number of rows written. Releases the GIL. Nobody else may use the searches
        meanwhile; until ``scatter`` they may move on, and then take nothing from here.
        """
    def scatter(self, priors: npt.NDArray[np.float32], values: npt.NDArray[np.float32]) -> list[int]:
        """Hands the results back: ``(rows, policy)`` probabilities and ``(rows, values)`` in [-1, 1].

        Returns the simulations of each search since ``gather``, those that the cache answered included.
        ValueError, with nothing handed back, when a number is NaN or infinite.
        """
    def cancel(self) -> None:
        """Drops the gathered leaves; the searches are as before ``gather``."""
