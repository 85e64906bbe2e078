"""Rules, search and evaluation: the engines of Plyhouse. Knows no protocol and no web framework.

In dependency order:

* ``core/``: the native crate (Rust): rules, searches, batching; ``_core`` is its Python module
* ``inference.py``: the seam to networks
* ``onnx_runtime.py``, ``onnx_model.py``, ``networks.py``: networks of ONNX Runtime, and which of them are at hand
* ``effort.py``: how many samples a search makes where nobody says
* ``pool/``: where searches run: sessions, admission, priorities, cancellation
* ``bots.py``: the named strategies and their parameters
* ``standings.py``, ``arena.py``: matches between players, and what they say about strength

What is public is listed in ``__all__``.
"""

from engines._core import (
    BadConfig,
    BadNotation,
    Batch,
    Cache,
    Game,
    IllegalMove,
    Line,
    Outcome,
    Position,
    Report,
    RuleError,
    Search,
    games,
    read_position,
)

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
