"""The engines of Plyhouse: rules, search and evaluation. Independent of protocols and web frameworks.

In dependency order:

* ``core/``: the native crate (Rust) with rules, searches and batching; ``_core`` is its Python module
* ``evaluation.py``: the evaluation of a position
* ``model_metadata.py``: the game and boards that a network's file names
* ``inference.py``: the interface between searches and neural networks
* ``board_starts.py``: start positions by the size of the board
* ``onnx_runtime.py``, ``onnx_runners.py``, ``onnx_model.py``: loading and running ONNX networks
* ``torch_model.py``: running networks of PyTorch, for training
* ``calibration.py``, ``game_calibration.py``, ``native_calibrations.py``: what values are worth
* ``card_facts.py``, ``model_card.py``, ``networks.py``: the cards of networks, and the networks of a process
* ``hindsight.py``: searching what follows a position before the position itself
* ``hidden_order.py``: whether a game hides an order that its moves reveal
* ``comparison.py``, ``joint_comparison.py``, ``review.py``: what a move loses against the best one;
  ``loss_units.py``: the unit in which that is judged
* ``variation.py``: how bots differ from the best play of their search
* ``effort.py``: default numbers of samples per search; ``late_moves.py``: the moves of seats that are late
* ``pickled_positions.py``: positions as they travel between processes
* ``start_config.py``: which members the configurations of a game can have
* ``pool/``: runs searches: sessions, admission, priorities, cancellation
* ``pictures/``: draws positions
* ``environments/``: games for reinforcement learning
* ``bots.py``, ``bot_parameters.py``: the named strategies and their parameters
* ``book.py``, ``book_writer.py``, ``book_match.py``: opening books, how they are written, and what they win
* ``opening_suite.py``, ``opening_writer.py``: balanced starts of games, and how they are made
* ``puzzles/``: positions with one clearly best move
* ``standings.py``, ``ratings.py``, ``sprt.py``: the statistics of matches
* ``pairings.py``, ``table_pairings.py``, ``tournament_table.py``: who meets whom in a tournament, and its table
* ``executors/``: independent tasks on threads or on a Ray cluster
* ``adjudication.py``, ``arena_game.py``, ``arena.py``: matches between players

``__all__`` lists the public names.
"""

from engines._core import (
    BadConfig,
    BadNotation,
    Batch,
    Cache,
    Environments,
    EvaluatorError,
    Game,
    IllegalMove,
    Layout,
    Line,
    Outcome,
    Position,
    Report,
    RuleError,
    Search,
    SearchAction,
    SearchCounters,
    SearchEdge,
    SearchNode,
    games,
    read_position,
)
from engines.evaluation import Candidate, Comparison, Evaluation
from engines.hidden_order import hides_order
from engines.hindsight import MOVES_AHEAD
from engines.late_moves import late_move
from engines.pickled_positions import enable_pickling
from engines.start_config import analysis_only, known_members
from engines.variation import Variation

enable_pickling()

__all__ = [
    "MOVES_AHEAD",
    "BadConfig",
    "BadNotation",
    "Batch",
    "Cache",
    "Candidate",
    "Comparison",
    "Environments",
    "Evaluation",
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
    "Variation",
    "analysis_only",
    "games",
    "hides_order",
    "known_members",
    "late_move",
    "read_position",
]
