"""The public Python API of Plyhouse, for authors of bots, tools and scripts.

* positions and searches: ``Position``, ``games``, ``read_position``, ``Search``
* matches between bots: ``Bot``, ``Match``, ``play_match``, ``Standing``
* records: ``read_record``, ``write_record``, ``replay_record``
* a running server: ``Client`` and ``AsyncClient``

A bot of your own is a :class:`Player`; an entry point of the group ``plyhouse.bots`` gives it a name in the arena (see
docs/python.md). Everything else in ``engines``, ``protocols`` and ``server`` may change without notice.
"""

from engines import (
    BadConfig,
    BadNotation,
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
from engines.arena import Forfeit, Match, Played, play_match
from engines.bots import Bot, Player, Strategy, UnknownBot
from engines.pool.job import Limits
from engines.standings import Standing
from plyhouse.async_client import AsyncClient
from plyhouse.client import Client
from plyhouse.wire import Analysis, Evaluation, GameState, Joined, Moved, NewGame, NewSeat, ServerError
from protocols.records.formats import read as read_record
from protocols.records.formats import write as write_record
from protocols.records.record import Reading, Record, RecordError
from protocols.records.replay import replay as replay_record

__all__ = [
    "Analysis",
    "AsyncClient",
    "BadConfig",
    "BadNotation",
    "Bot",
    "Client",
    "Evaluation",
    "Forfeit",
    "Game",
    "GameState",
    "IllegalMove",
    "Joined",
    "Limits",
    "Line",
    "Match",
    "Moved",
    "NewGame",
    "NewSeat",
    "Outcome",
    "Played",
    "Player",
    "Position",
    "Reading",
    "Record",
    "RecordError",
    "Report",
    "RuleError",
    "Search",
    "ServerError",
    "Standing",
    "Strategy",
    "UnknownBot",
    "games",
    "play_match",
    "read_position",
    "read_record",
    "replay_record",
    "write_record",
]
