"""The public Python API of Plyhouse, for authors of bots, tools and scripts.

* positions and searches: ``Position``, ``games``, ``read_position``, ``Search``, ``EvaluatorError``
* the trees of searches: ``SearchNode``, ``SearchAction``, ``SearchEdge``, ``SearchCounters``
* matches between bots: ``Bot``, ``Match``, ``play_match``, ``Standing``; ``register_strategy`` and ``get_strategy``
* environments for reinforcement learning: ``env``, ``parallel_env``, ``gymnasium_env``, ``batch_env``
* pictures of positions: ``picture``
* records: ``read_record``, ``write_record``, ``replay_record``
* a running server: ``Client`` and ``AsyncClient``

A bot of your own is a :class:`Player`, made by a :class:`Strategy`; ``register_strategy``, or an entry point of the
group ``plyhouse.bots``, gives it a name in the arena (see docs/python.md). Everything else in ``engines``,
``protocols`` and ``server`` may change without notice.
"""

from engines import (
    BadConfig,
    BadNotation,
    EvaluatorError,
    Game,
    IllegalMove,
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
from engines.arena import Match, Played, play_match
from engines.arena_game import Forfeit
from engines.bot_parameters import Parameter
from engines.bots import Bot, Player, Strategy, UnknownBot, get_strategy, register_strategy
from engines.pictures import Picture, PictureError, picture
from engines.pool.job import Limits
from engines.standings import Standing
from plyhouse.client import AsyncClient, Client
from plyhouse.environments import MissingExtra, batch_env, env, gymnasium_env, parallel_env
from plyhouse.wire import (
    Analysis,
    Evaluation,
    GameState,
    Joined,
    Moved,
    NewGame,
    NewSeat,
    ServerBot,
    ServerError,
)
from protocols.records.formats import read as read_record
from protocols.records.formats import write as write_record
from protocols.records.record import Reading, RecordError
from protocols.records.replay import replay as replay_record
from protocols.values import Record

__all__ = [
    "Analysis",
    "AsyncClient",
    "BadConfig",
    "BadNotation",
    "Bot",
    "Client",
    "Evaluation",
    "EvaluatorError",
    "Forfeit",
    "Game",
    "GameState",
    "IllegalMove",
    "Joined",
    "Limits",
    "Line",
    "Match",
    "MissingExtra",
    "Moved",
    "NewGame",
    "NewSeat",
    "Outcome",
    "Parameter",
    "Picture",
    "PictureError",
    "Played",
    "Player",
    "Position",
    "Reading",
    "Record",
    "RecordError",
    "Report",
    "RuleError",
    "Search",
    "SearchAction",
    "SearchCounters",
    "SearchEdge",
    "SearchNode",
    "ServerBot",
    "ServerError",
    "Standing",
    "Strategy",
    "UnknownBot",
    "batch_env",
    "env",
    "games",
    "get_strategy",
    "gymnasium_env",
    "parallel_env",
    "picture",
    "play_match",
    "read_position",
    "read_record",
    "register_strategy",
    "replay_record",
    "write_record",
]
