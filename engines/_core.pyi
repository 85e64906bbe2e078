"""The native core: rules and search of every game. This stub is the only hand-written list of its contents."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "BadConfig",
    "BadNotation",
    "Batch",
    "Cache",
    "Environments",
    "EvaluatorError",
    "Game",
    "IllegalMove",
    "Layout",
    "Line",
    "Outcome",
    "Position",
    "Report",
    "RuleError",
    "Search",
    "SearchAction",
    "SearchCounters",
    "SearchEdge",
    "SearchNode",
    "games",
    "read_position",
]

class RuleError(ValueError):
    """A game refused the request, which changed nothing. ``str(error)`` is one sentence."""

class IllegalMove(RuleError):
    """The text is readable, but the rules forbid the move in this position."""

class BadNotation(RuleError):
    """The text is not in the game's notation."""

class BadConfig(RuleError):
    """An unknown game or variant, or an invalid configuration."""

class EvaluatorError(RuntimeError):
    """An evaluator in Python raised an exception, which is the ``__cause__``, or returned something unusable.

    The search gives the leaves of the batch back and can run again. Other searches are not affected.
    """

@final
class Game:
    """A catalogue entry."""

    @property
    def name(self) -> str: ...
    @property
    def variants(self) -> list[str]:
        """The default variant comes first."""
    @property
    def members(self) -> list[str]:
        """The members of its configurations; others are refused."""
    @property
    def seats(self) -> tuple[int, int]:
        """Minimum and maximum number of seats."""
    @property
    def listed(self) -> bool:
        """Whether users may choose the game; false for the toy games that exist to test the contract."""
    @property
    def about(self) -> dict[str, Any]:
        """Board limits, notation and edition notes, as ``GET /api/rules`` shows them."""

def games() -> list[Game]:
    """The games in catalogue order."""

def read_position(game: str, text: str, variant: str | None = None) -> Position:
    """Reads a position: JSON ``{"config", "moves"}`` or a bare config.

    ``config.variant`` takes precedence over ``variant``. The order of what is hidden is unknown (see
    ``Position.is_dealt``) unless the config has the secret.

    Raises BadConfig, BadNotation or IllegalMove.
    """

@final
class Outcome:
    """How a game ended."""

    @property
    def winners(self) -> list[int]:
        """The seats in first place; empty in a draw, in which all seats share it."""
    @property
    def places(self) -> list[int]:
        """The place of each seat, 1 being the best. Tied seats share a place, as in 1, 2, 2, 4."""
    @property
    def reason(self) -> str: ...
    @property
    def scores(self) -> list[float] | None:
        """Final points per seat, in games with points."""
    @property
    def values(self) -> list[float]:
        """Result per seat: +1, 0 or -1."""

@final
class Layout:
    """How a network for exactly the board of a position is built: its tensor shapes, and what its heads look at."""

    @property
    def planes(self) -> int: ...
    @property
    def dim2(self) -> int: ...
    @property
    def dim3(self) -> int: ...
    @property
    def policy(self) -> int:
        """Length of the policy vector: all policies after one another."""
    @property
    def values(self) -> int:
        """1: the value for the seat to act; otherwise one per seat."""
    @property
    def policies(self) -> int:
        """Number of policies: one, or one per seat if the seats act together."""
    @property
    def is_trained(self) -> bool:
        """Whether self-play trains such networks (``plyhouse train``). If not, the planes are for those of others."""
    @property
    def per_cell(self) -> int:
        """Entries of a policy for each cell. They come first: all cells for the first one, then all for the second."""
    @property
    def anchors(self) -> list[tuple[int, float]]:
        """The cells that matter most: for each, the plane that marks it, and the number that is only there."""
    @property
    def symmetries(self) -> list[tuple[list[int], list[int], list[int]]]:
        """Permutations of an input row, the policy and the values under which games remain games, without the identity.

        Entry ``i`` of the reflected vector is entry ``permutation[i]`` of the original one.
        """

@final
class Position:
    """A position of any game, with the moves that led to it."""

    def __new__(cls, game: str, variant: str | None = None, config: Mapping[str, Any] | None = None) -> Self:
        """The start position. Raises BadConfig.

        ``variant`` defaults to the game's first one, ``config`` to the variant's default start. A member that is None
        has its default. ``config`` may name game and variant, as the V3 protocol's does; they must be the same ones.
        """
    @property
    def game(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def config(self) -> dict[str, Any]:
        """The complete public start configuration, including defaults, without game and variant.

        A shallow copy: its lists are shared by all positions of the game and must not be modified.
        """
    @property
    def secret(self) -> dict[str, Any]:
        """What ``config`` omits while the game runs (the seed of a hidden order); often empty."""
    @property
    def is_dealt(self) -> bool:
        """Whether nothing is hidden, or its true order is known.

        False for a position that was set up without its secret: each recorded move then tells what it revealed, and
        ``after`` is refused.
        """
    @property
    def seats(self) -> int: ...
    @property
    def ply(self) -> int:
        """Number of moves played."""
    @property
    def usual_plies(self) -> int | None:
        """How many plies an even game between strong players has with this set-up; None if nobody knows."""
    @property
    def progress(self) -> float:
        """How much of a usual game has been played, from 0 to 1: ``ply / usual_plies``, and 0 if nobody knows them."""
    @property
    def key(self) -> int:
        """128-bit hash of everything that the rest of the game depends on."""
    def information_key(self, seat: int) -> int:
        """128-bit hash of what ``seat`` knows about the position: unchanged by ``redeal`` for this seat."""
    @property
    def image_keys(self) -> list[int]:
        """128-bit hashes of what all seats see of the position, from each side from which its board looks the same.

        The first is the position's own. Most games have no other sides; hidden information is not part of it.
        """
    def images(self, move: str) -> list[str]:
        """A legal move as a player submits it, as seen from each side, in the order of ``image_keys``.

        Raises BadNotation or IllegalMove as ``check`` does.
        """
    @property
    def to_act(self) -> list[int]:
        """Seats that have to move now; empty when the game is over."""
    @property
    def history(self) -> list[str]:
        """Canonical moves, with revealed information appended in hidden games, and forfeits (``!1``; not plies)."""
    @property
    def last_move(self) -> str | None:
        """The last entry of the history; None at the start."""
    @property
    def outcome(self) -> Outcome | None: ...
    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What ``seat`` may see; None is a spectator. Lists may be shared, as in ``config``."""
    @property
    def lists_moves(self) -> bool:
        """Whether there are few enough whole moves to list them."""
    def legal_moves(self, seat: int | None = None) -> list[str]:
        """Whole moves of ``seat`` (default: the first to act). Raises RuleError if ``lists_moves`` is false."""
    def legal_actions(self, seat: int | None = None, staged: str = "") -> list[str]:
        """Actions of ``seat`` that may follow ``staged``, the beginning of a move; empty if that is a complete move."""
    def legal(self, seat: int | None = None, staged: str = "") -> list[str]:
        """The choices to show a player: whole moves if they are listed and nothing is staged, otherwise actions."""
    def can_finish(self, seat: int | None = None, staged: str = "") -> bool:
        """Whether ``staged``, possibly empty, may be submitted as a whole move."""
    def check(self, move: str, seat: int | None = None) -> str:
        """The canonical text of a legal move as a player submits it (no tail). Leaves the position unchanged."""
    def submitted(self, move: str) -> str:
        """A recorded move as a player submits it: without its tail, if it has one. Does not check the move."""
    def after(self, move: str, seat: int | None = None, deal: int | None = None) -> Position:
        """The position after a legal move as a player submits it; its ``last_move`` is the recorded move.

        With ``deal``, what the seat cannot know is reshuffled first, as by ``redeal`` with this seed.

        Raises BadNotation or IllegalMove as ``check`` does; IllegalMove also if several seats act together, and without
        ``deal`` in a hidden game that was not set up from its seed.
        """
    def play(self, *moves: str) -> list[dict[str, Any]]:
        """Plays recorded moves in order, all or none of them, and returns the events.

        Joint moves are written ``a/b``; ``!1`` means that seat 1 forfeits.
        """
    def forfeit(self, seat: int) -> None: ...
    def undo(self) -> None:
        """Takes back the last entry of the history. Raises IllegalMove at the start."""
    def copy(self) -> Position: ...
    def at_ply(self, ply: int) -> Position:
        """The position after so many moves, including the forfeits that followed at once. ValueError beyond ``ply``."""
    def redeal(self, seat: int, seed: int) -> None:
        """Reshuffles what ``seat`` cannot know. Raises RuleError if nothing is hidden."""
    def write(self, *, secret: bool = False) -> str:
        """The position as JSON ``{"config", "moves"}``, which ``read_position`` reads; the config names the variant.

        With ``secret``, the config has the secret as well, so that the order of what is hidden is kept. Raises
        RuleError if that order comes from ``redeal``, which no secret stands for.
        """
    def fits(self, planes: int, dim2: int, dim3: int, policy: int, values: int) -> str | None:
        """None if a model with these tensor shapes can evaluate the game, otherwise the reason why not."""
    @property
    def layout(self) -> Layout | None:
        """The layout of networks for exactly this board; None if the game has no network planes."""
    @property
    def scores(self) -> list[float] | None:
        """The points of each seat so far; None for games without points."""
    @property
    def points_unit(self) -> float | None:
        """What a value of 1 is worth in points for the game's networks; None if their values are results.

        Such a network says how many points each seat will still win; in PyRat, as a share of the remaining ones.
        """
    def features(self, evaluator: str = "native") -> npt.NDArray[np.float32]:
        """What an evaluator of the game computes the value of an unfinished position from, for programs that fit one.

        Shape ``(seats, features)``. Raises BadConfig for an unknown evaluator or one without features.
        """
    def weights(self, evaluator: str = "native") -> list[tuple[str, float]]:
        """The weights that can be written behind an evaluator's name, and their numbers; empty if it has none."""
    def value(self, evaluator: str = "native") -> list[float]:
        """The value for each seat without a search, in [-1, 1]; of a finished game, the result."""
    def flat_shape(self, size: int | None = None) -> tuple[int, int, int, int]:
        """The shape of planes, columns and rows first, and how many flat actions a seat has.

        Flat actions are numbers for single actions, the same in every position; those of a network's policy, and a few
        more. ``size``: columns and rows of the planes in games whose board has no edge. Raises BadConfig for a variant
        without planes, and for a size that cannot be.
        """
    def observe(self, seat: int, staged: str = "", size: int | None = None) -> npt.NDArray[np.float32]:
        """What a seat sees, ``(planes, dim2, dim3)``, after the beginning of a move of the seat to act."""
    def flat_actions(self, seat: int, staged: str = "", size: int | None = None) -> list[int]:
        """The flat actions of a seat that may follow the beginning of its move; empty if it does not act."""
    def flat_text(
        self, action: int, seat: int, staged: str = "", size: int | None = None
    ) -> tuple[str, bool]:
        """The beginning of a move with one more flat action, and whether it is a whole move then.

        Raises IllegalMove if the action is not legal.
        """
    def flat_numbers(self, move: str, seat: int, size: int | None = None) -> list[int]:
        """The flat actions of a legal move of a seat, in order. Raises as ``check``."""
    def perft(self, depth: int, threads: int = 1) -> int:
        """Number of leaves of the action tree (simultaneous games: joint actions) at this depth. Releases the GIL."""

@final
class Line:
    """One candidate move of a report."""

    @property
    def move(self) -> str: ...
    @property
    def visits(self) -> int: ...
    @property
    def value(self) -> float:
        """For the seat to move, in [-1, 1]; the best move's is the position's. Alpha-beta: others are upper bounds."""
    @property
    def pv(self) -> list[str]:
        """The principal variation in whole moves, starting with this one."""
    @property
    def points(self) -> list[float] | None:
        """Expected points per seat at the end of the game after this move, as ``Report.points``."""

@final
class Report:
    """A snapshot of a search's results."""

    @property
    def best_move(self) -> str | None:
        """In canonical notation; a joint move (``a/b``) if seats act together; None before the first simulation."""
    @property
    def values(self) -> list[float]:
        """Per seat, in [-1, 1]: exact if the game is solved from here, otherwise a fair price.

        It favours neither the seat to move nor the others: the mean of the root's visits, in alpha-beta the mean of
        the last two depths.
        """
    @property
    def points(self) -> list[float] | None:
        """Expected points per seat at the end of the game, the mean like ``values``.

        None in games without points, and from searches and evaluators that do not estimate them.
        """
    @property
    def policies(self) -> list[list[tuple[str, float]]]:
        """For each seat to act, in seat order: moves with their probabilities, most likely first.

        PUCT: each move's share of the visits. Graph search, by its ``selector``: ``puct``, each move's share of the
        visits; ``rm``, the average strategy; ``puct+rootsolve``, the exact solution of the matrix of the root's values.
        Other searches: all probability on the chosen move.
        """
    @property
    def visits(self) -> int:
        """Visits of the root, including its own evaluation."""
    @property
    def inherited(self) -> int:
        """The visits that the root already had when it became the root."""
    @property
    def nodes(self) -> int:
        """Nodes in the tree; for alpha-beta, positions in its table."""
    @property
    def depth(self) -> int:
        """Depth in actions of alpha-beta's last complete iteration; 0 for searches without iterations."""
    @property
    def lines(self) -> list[Line]:
        """Candidate moves, best first."""

@final
class Search:
    """A search from a position. Deterministic for a seed and a sequence of evaluations (alpha-beta: with one thread).

    Thread-safe.
    """

    def __new__(
        cls,
        position: Position,
        evaluator: str | Callable[[npt.NDArray[np.float32]], Any] = "native",
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
        *,
        batch: int | None = None,
        cache: int | None = None,
        **parameters: float | str | None,
    ) -> Self:
        """Opens a search; its parameters are given by name, or as ``options``. Raises BadConfig for unknown ones.

        ``search`` chooses the kind: ``"puct" | "alphabeta" | "greedy" | "uct" | "mcgs" | "montecarlo"`` (default: the
        game's own search). The other parameters are those of that search, which docs/games.md lists:

        * ``"puct"`` (PUCT, for two seats that alternate): ``preset`` (``"default" | "reference" | "self-play"``),
          ``puct``, ``firstPlay``, ``fpuReduction``, ``maxDepth``, ``noPriors``, ``solve``, ``virtualLoss``,
          ``temperature``, ``noiseFraction``, ``noiseAlpha``, ``forcedPlayouts``
        * ``"uct"`` (UCT over several deals, for seats that act one at a time): ``preset`` (``"default" | "seed"``),
          ``exploration_constant``, ``num_determinizations``, ``pw_c``, ``pw_alpha``, ``use_rave``, ``rave_k``,
          ``rave_fpu``, ``max_amaf_depth``, ``tile_aware_amaf``, ``amaf_by_seat``, ``order``, ``aim``, ``shared_win``,
          ``tie``, ``skip_forced``, ``keep_trees``, ``threads``
        * ``"mcgs"`` (graph search, for two seats that act together): ``profile`` (``"rec" | "seed"``), ``selector``,
          ``utility``, ``c_puct``, ``unit``, ``fpu``, ``fpu_offset``, ``weighting``, ``table``, ``ties``,
          ``short_circuit``, ``sweep``, ``sooner``, ``temperature``, ``noiseFraction``, ``noiseAlpha``,
          ``forcedPlayouts``, ``eval``
        * ``"alphabeta"`` (for two seats that alternate): ``threads``, ``hashMB``, ``maxDepth`` (in actions),
          ``reductions``
        * ``"montecarlo"`` (random continuations): ``horizon`` (random actions before the evaluator is called)
        * ``"greedy"`` (the move that is rated best): none

        Every search takes ``evaluation_noise``, the deviation of errors that are added to evaluations, 0..1.

        ``evaluator``: the name of one of the game's own, ``"planes"`` for a search whose leaves a ``Batch`` evaluates,
        or a callable for ``puct``, ``mcgs`` and ``uct``. ``run`` calls it with the planes of up to ``batch`` leaves
        (default 16, at most 4096), an array ``(leaves, planes, dim2, dim3)`` of its own with the shapes of
        ``Position.layout``, and holds the GIL only meanwhile. It returns ``(policy, values)``, which numpy converts to

        * ``(leaves, policy)``: probabilities from 0 to 1 (not logits) by ``Layout.policy``, for the seat to act, or for
          each seat if they act together. UCT needs none: return the values alone, or a pair whose policy is ignored
        * ``(leaves, values)``: in [-1, 1], of the seat to act if ``Layout.values`` is 1, otherwise of each seat; where
          ``Position.points_unit`` is a number, the points that each seat still wins, in this unit, in [0, 1]

        ``cache``: how many of its evaluations are kept by position (default 10,000); 0 for a callable that changes.
        """
    def run(self, simulations: int, milliseconds: int | None = None) -> int:
        """Runs up to ``simulations`` or for ``milliseconds``, without the GIL; returns the number of simulations done.

        Does at least one, unless nothing is left to search. A simulation of alpha-beta is one visited node. In the main
        thread, Ctrl-C ends it; the search keeps what it has done.
        Raises ValueError for a search with the evaluator ``"planes"``; with a callable, EvaluatorError, and
        RuntimeError if the search is running already.
        """
    def interrupt(self) -> None:
        """Makes a ``run`` in another thread, or else the next one, return after a few more simulations."""
    def focus(self) -> bool:
        """Fixes the best action so far and searches the next action of the move; False if the move is complete."""
    @property
    def focus_visits(self) -> int:
        """Visits of the node behind the fixed actions, or of the root if none is fixed.

        UCT and montecarlo: only the simulations since the last action was fixed.
        """
    def unfocus(self) -> None: ...
    def advance(self, move: str) -> None:
        """Plays a recorded move. The child becomes the root and keeps its visits; the rest of the tree is freed.

        UCT keeps the trees whose deal agrees with what the move revealed, and deals the others again.
        """
    def look_ahead(self, moves: Sequence[str]) -> bool:
        """Searches the position after these recorded moves, and reports on it, until called without moves.

        For ``alphabeta``, which uses what it has found there when it comes back to the root; other searches ignore it.
        Each such call searches anew. Returns whether it is at another position than the root. Raises RuleError, with
        nothing changed.
        """
    def report(self, lines: int = 1) -> Report: ...
    def copy(self) -> Search:
        """A search of its own with the same tree, which goes on in the same way. A callable is shared.

        For ``puct``, ``uct`` and ``mcgs``. Raises BadConfig for other searches, and with ``evaluation_noise``.
        """
    @property
    def root(self) -> SearchNode:
        """The root of the tree; in UCT, of the trees of all deals together. Raises BadConfig for searches without one.

        ``puct``, ``uct`` and ``mcgs`` have a tree. Waits until no other thread runs the search, as nodes do.
        """
    @property
    def deals(self) -> list[SearchNode]:
        """UCT in games with hidden information: the root of the tree of each deal. Otherwise empty.

        So it is with ``num_determinizations=0``, where one tree has a new deal in each simulation.
        """
    @property
    def counters(self) -> SearchCounters:
        """What the search has done since it was opened, and the size of its tree. Raises BadConfig as ``root``."""
    def example(
        self, values: int, planes: npt.NDArray[np.float32], policy: npt.NDArray[np.float32]
    ) -> list[float] | None:
        """Writes what a network can learn from the search about the position behind the fixed actions.

        ``planes`` ``(planes, dim2, dim3)`` gets its planes, ``policy`` ``(policy,)`` the share of each action in the
        visits (graph search: the policy of the selector), without those that noise forced. Returns the value per seat
        in the unit of the game's networks (see ``Position.points_unit``). None, with nothing written, if there is
        nothing to learn: no visits, no planes of these shapes, or a search without a policy of its own.
        """
    @property
    def visits(self) -> int: ...
    @property
    def bytes(self) -> int:
        """Memory used by the tree."""
    def bytes_for(self, simulations: int) -> int:
        """Estimated memory in bytes for a move with this many simulations for each of its actions."""

@final
class Environments:
    """Many games of one kind at once, one action of each a step; games that end begin again. Thread-safe.

    ``reset`` and ``step`` write into six arrays in C order: observations ``(games, choosing, planes, dim2, dim3)`` of
    float32, masks ``(games, choosing, actions)`` of bool, seats to act ``(games,)`` of int64, rewards ``(games,
    seats)`` of float32, terminated and truncated ``(games,)`` of bool. They release the GIL.
    """

    def __new__(
        cls,
        game: str,
        variant: str | None = None,
        config: Mapping[str, Any] | None = None,
        *,
        games: int = 1,
        size: int | None = None,
        rewards: str = "result",
        max_steps: int = 0,
        threads: int = 1,
    ) -> Self:
        """``rewards``: "result", "points" or "lead". ``max_steps``: when a game is cut off; 0 for no limit.

        Raises BadConfig for what cannot be.
        """
    @property
    def games(self) -> int: ...
    @property
    def seats(self) -> int:
        """Seats of a game."""
    @property
    def choosing(self) -> int:
        """Seats that choose in a step: all of them where all act at once, otherwise 1."""
    @property
    def planes(self) -> tuple[int, int, int]:
        """The shape of an observation."""
    @property
    def actions(self) -> int:
        """Flat actions of a seat."""
    def reset(self, seed: int, arrays: tuple[Any, ...]) -> None:
        """Begins all games anew."""
    def step(self, actions: npt.NDArray[np.int64], arrays: tuple[Any, ...]) -> None:
        """Plays actions ``(games, choosing)``. Raises IllegalMove if one is illegal, before any is played."""
    def final_observations(
        self,
    ) -> tuple[npt.NDArray[np.uintp], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """The games that ended or were cut off in the last step; what their seats saw then, and its legal actions.

        Shapes: ``(ended,)``, ``(ended, seats, planes, dim2, dim3)`` and ``(ended, seats, actions)``.
        """
    def sample(self, seed: int) -> npt.NDArray[np.int64]:
        """A uniformly random legal action of each seat that chooses, ``(games, choosing)``, after ``reset``."""
    def play_random(self, steps: int, seed: int) -> int:
        """Plays random actions in a game of its own, with masks and planes; returns how many games ended.

        This is what steps cost without arrays, batches and threads.
        """

@final
class SearchNode:
    """A node in the tree of a search (``puct``, ``uct``) or in its graph (``mcgs``). Read only; nothing is copied.

    It stands for the position behind its ``moves``, and reads the tree whenever it is asked. So it stays valid while
    the search runs, and its numbers grow. After ``Search.advance``, everything but ``moves`` and ``depth`` raises
    LookupError; take ``Search.root`` again. In UCT, LookupError also tells that the search has dropped the node.

    Q is a seat's mean result from the node on, in ``unit``, and always from the point of view of the seat that it is
    given for, larger being better. While a batch is evaluated, UCT counts its simulations as losses.
    """

    @property
    def id(self) -> int:
        """Equal for nodes that are the same: ``mcgs`` reaches one in several ways. Valid until ``Search.advance``."""
    @property
    def moves(self) -> list[str]:
        """The moves of the edges that lead here from the root. One edge is one action; a move may have several."""
    @property
    def depth(self) -> int:
        """Number of these edges."""
    @property
    def kind(self) -> str:
        """What the node is.

        ``pending`` (waits for its evaluation), ``leaf`` (evaluated), ``partial`` (with its most promising actions),
        ``expanded`` (with all actions that the search may follow), ``over``, ``repeated`` (a draw), ``proven``, or
        ``dead end`` (no action has a prior).
        """
    @property
    def unit(self) -> str:
        """The unit of Q and U: ``value``, a result in [-1, 1], or ``points``, won from the node on.

        ``mcgs`` counts points (PyRat: cheese), unless its utility is ``win``.
        """
    @property
    def to_act(self) -> list[int]:
        """Seats that act; empty when the game is over, and in UCT where all deals together cannot go on."""
    @property
    def visits(self) -> int:
        """Simulations that ended here or went through. A shared node of ``mcgs`` counts those that went on from it."""
    @property
    def q(self) -> list[float] | None:
        """Q of each seat, in ``unit``; None before the evaluation."""
    @property
    def evaluation(self) -> list[float] | None:
        """The evaluation of the position itself, like ``q``; None where it does not count or UCT does not keep it."""
    @property
    def points(self) -> list[float] | None:
        """Expected points of each seat at the end of the game; None as in ``Report.points``."""
    @property
    def distance(self) -> int | None:
        """Actions to the end of the game, if PUCT knows the exact value."""
    @property
    def actions(self) -> list[SearchAction]:
        """The actions that are listed for each seat to act, by seat, then by visits, then by prior."""
    @property
    def edges(self) -> list[SearchEdge]:
        """The visited actions, or pairs of actions if seats act together, most visited first.

        In games with hidden information, the root of all deals together has edges only within the move at the root,
        since what follows depends on the deal: see ``Search.deals``.
        """
    @property
    def children(self) -> list[SearchNode]:
        """The nodes of ``edges``, in the same order."""
    def child(self, move: str) -> SearchNode:
        """The node behind the visited edge with this ``move``. Raises LookupError."""
    def principal_variation(self, moves: int = 10) -> list[SearchEdge]:
        """The best edge from here, the best one from its node, and so on, at most ``moves``.

        The best edge is the most visited one; PUCT prefers proven wins and avoids proven losses.
        """
    def to_json(self, depth: int = 1, *, min_visits: int = 1) -> str:
        """The node and those up to ``depth`` edges below it as a JSON object, along edges with ``min_visits``.

        Members: ``search``, ``unit``, ``evaluations``, ``known``, ``hits``, and ``nodes``, each with its number
        ``node``, the properties of this class (``moves`` and ``depth`` from here on), and ``edges`` with the number of
        the ``node`` that each leads to. A shared node occurs once. Raises ValueError for more than 200,000 nodes,
        actions and edges.
        """
    def to_dot(self, depth: int = 1, *, min_visits: int = 1) -> str:
        """The same as a picture: text for Graphviz (``dot -Tsvg``), with visits and Q of each seat."""
    def to_dataframe(self, depth: int = 1, *, rows: str = "actions", min_visits: int = 1) -> Any:  # noqa: ANN401 - pandas is optional
        """The same as a ``pandas.DataFrame``, with a row for each of the ``"actions"`` or each of the ``"edges"``.

        Columns ``node``, ``depth`` and ``moves`` name the node; edges have ``q0``, ``reward0``, … for each seat. Raises
        ImportError without pandas.
        """

@final
class SearchAction:
    """An action of a seat in a node, as it was when ``SearchNode.actions`` was read. Numbers are the seat's own."""

    @property
    def seat(self) -> int: ...
    @property
    def action(self) -> str:
        """In the game's notation."""
    @property
    def prior(self) -> float | None:
        """Prior probability among the legal actions; None in UCT, which only orders its actions by their priors."""
    @property
    def visits(self) -> int:
        """Simulations that chose it."""
    @property
    def q(self) -> float | None:
        """The mean result after it, in the unit of the node; None without visits.

        ``mcgs``: of what the seat maximises (``utility``: ``diff`` is its points less the other seat's).
        """
    @property
    def u(self) -> float | None:
        """The exploration term, in the same unit.

        None for regret matching, for untried actions of UCT, and for several deals together, each of which chooses on
        its own.
        """
    @property
    def score(self) -> float | None:
        """What the search compares: ``q + u``, with what it assumes for an action without visits; None as ``u``.

        UCT: with RAVE mixed in.
        """
    @property
    def amaf_visits(self) -> int | None:
        """UCT with ``use_rave``: simulations in which the action came later; None without any."""
    @property
    def amaf_q(self) -> float | None:
        """Their mean result."""
    @property
    def regret(self) -> float | None:
        """Selector ``rm``: how much more the action would have won, at least 0, in the unit of the node."""
    @property
    def strategy(self) -> float | None:
        """Selector ``rm``: its probability in the average strategy."""

@final
class SearchEdge:
    """An edge of a node, as it was when ``SearchNode.edges`` was read."""

    @property
    def move(self) -> str:
        """The action in the game's notation; a joint move (``a/b``) if seats act together."""
    @property
    def visits(self) -> int:
        """Simulations along the edge."""
    @property
    def q(self) -> list[float]:
        """The mean result of each seat from its node on, in the unit of the node: ``reward`` and what comes after."""
    @property
    def reward(self) -> list[float] | None:
        """The points that each seat wins on it; None in games without points, and in ``mcgs`` with utility ``win``."""
    @property
    def node(self) -> SearchNode:
        """The node that it leads to."""

@final
class SearchCounters:
    """What a search has done since it was opened, and the size of its tree, when ``Search.counters`` was read.

    Each simulation adds one to ``evaluations`` or to ``known``.
    """

    @property
    def evaluations(self) -> int:
        """Simulations that ended with the evaluation of a new position, or in UCT with playing it to the end."""
    @property
    def known(self) -> int:
        """Simulations that ended where a value was known.

        In a finished, repeated or proven position, at the greatest depth, or, with ``short_circuit``, in a position
        that others have visited.
        """
    @property
    def hits(self) -> int:
        """``mcgs``: edges that led to a position to which another edge led before (transpositions)."""
    @property
    def cache_hits(self) -> int:
        """Evaluations in Python that were kept from an equal position, and needed no row of a batch."""
    @property
    def nodes(self) -> int:
        """Nodes in the tree now, over all deals."""
    @property
    def depth(self) -> int:
        """Edges from the root to the deepest node."""

@final
class Cache:
    """An LRU cache of model evaluations by position. Thread-safe."""

    def __new__(cls, capacity: int) -> Self:
        """Holds up to ``capacity`` entries; 0 disables it. An entry for an 8x8 Wallwars board takes about 360 bytes."""
    @property
    def capacity(self) -> int: ...
    @property
    def hits(self) -> int:
        """Leaves that needed no model evaluation of their own, since the start."""
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
        rows per search, and returns the number of rows written. Releases the GIL. No other thread may use the searches
        meanwhile. A search that advances before ``scatter`` receives none of the results.
        """
    def scatter(self, priors: npt.NDArray[np.float32], values: npt.NDArray[np.float32]) -> list[int]:
        """Returns the results to the searches: ``(rows, policy)`` probabilities and ``(rows, values)`` in [-1, 1].

        Returns the simulations of each search since ``gather``, including those answered by the cache.
        Raises ValueError, without any effect, if a number is NaN or infinite.
        """
    def cancel(self) -> None:
        """Discards the gathered leaves; the searches are as before ``gather``."""
