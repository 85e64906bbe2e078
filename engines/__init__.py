"""The engines of Plyhouse: rules, search and evaluation. Independent of protocols and web frameworks.

In dependency order:

* ``core/``: the native crate (Rust) with rules, searches and batching; ``_core`` is its Python module
* ``evaluation.py``: the evaluation of a position
* ``model_metadata.py``: the game and boards that a network's file names
* ``inference.py``: the interface between searches and neural networks
* ``board_starts.py``: start positions by the size of the board
* ``onnx_runtime.py``, ``onnx_runners.py``, ``onnx_model.py``: loading and running ONNX networks
* ``torch_model.py``: running networks of PyTorch, for training
* ``card_facts.py``, ``model_card.py``, ``networks.py``: the cards of networks, and the networks of a process
* ``effort.py``: default numbers of samples per search; ``late_moves.py``: the moves of seats that are late
* ``start_config.py``: which members the configurations of a game can have
* ``pool/``: runs searches: sessions, admission, priorities, cancellation
* ``bots.py``, ``bot_parameters.py``: the named strategies and their parameters
* ``book.py``, ``book_writer.py``, ``book_match.py``: opening books, how they are written, and what they win
* ``standings.py``, ``arena.py``: matches between players and their statistics

``__all__`` lists the public names.
"""

from engines._core import (
    BadConfig,
    BadNotation,
    Batch,
    Cache,
    Game,
    IllegalMove,
    Layout,
    Line,
    Outcome,
    Position,
    Report,
    RuleError,
    Search,
    games,
    read_position,
)
from engines.evaluation import Candidate, Evaluation
from engines.late_moves import late_move
from engines.start_config import known_members

__all__ = [
    "BadConfig",
    "BadNotation",
    "Batch",
    "Cache",
    "Candidate",
    "Evaluation",
    "Game",
    "IllegalMove",
    "Layout",
    "Line",
    "Outcome",
    "Position",
    "Report",
    "RuleError",
    "Search",
    "games",
    "known_members",
    "late_move",
    "read_position",
]
