"""Dialects: the formats that clients of other sites, each of which knows one game, expect and send.

They use the same addresses as all clients. A client that does not ask for extensions (``?ext=1``) is served in the
game's dialect, or in the common format if the game has none. No module outside this package knows which games have a
dialect. To add one, add a module here and list it in ``_MODULES``.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol

from protocols.dialects import wallwars
from protocols.jsontext import JsonDict
from protocols.values import Attendance, Table


class Dialect(Protocol):
    """The functions that a dialect's module defines. Members they return are added to those of the common answer.

    ``share_url`` is the address of the game's page, ``token`` that of the seat.
    """

    def state_json(self, table: Table) -> JsonDict:
        """The ``state`` of a frame."""
        ...

    def move_text(self, move: object, config: Mapping[str, Any]) -> str:
        """The notation of a move that was not sent as text; MistypedError if it is not a move of the dialect."""
        ...

    def is_for_bots(self, variant: str) -> bool:
        """Whether bots may attach for this variant."""
        ...

    def created_json(self, table: Table, token: str | None, share_url: str) -> JsonDict:
        """Members of the answer to the creator of a game; ``token`` is the host's, None if the host is a bot."""
        ...

    def joined_json(
        self, table: Table, seat: int | None, token: str | None, attendance: Attendance, share_url: str
    ) -> JsonDict:
        """Members of the answer to a new player, or (``seat`` is None) to a spectator, as the game is full."""
        ...

    def game_json(self, table: Table, seat: int | None, token: str | None, share_url: str) -> JsonDict:
        """Members of the answer to a request for a game; ``seat`` is None for a spectator."""
        ...

    def match_json(self, table: Table, attendance: Attendance) -> JsonDict:
        """Members of the answer to a player who is ready or has aborted the game."""
        ...


_MODULES: Final = (wallwars,)
_UNNAMED: Final = wallwars
"""The dialect of the V3 bot protocol and of the oldest clients, whose messages do not name a game."""

_DIALECTS: Final[Mapping[str, Dialect]] = {module.GAME: module for module in _MODULES}
"""By game."""


def dialect_of(game: str) -> Dialect | None:
    """The dialect of a game of the catalogue; None if it has none."""
    return _DIALECTS.get(game)


def games_with_dialect() -> tuple[str, ...]:
    """The games that have a dialect."""
    return tuple(_DIALECTS)


def game_named(name: str | None) -> str:
    """The game of a message; ``name`` is its ``game`` member, None if it has no such member."""
    return _UNNAMED.GAME if name is None else name


def game_member(game: str) -> JsonDict:
    """The ``game`` member of a message, which is left out for the game ``game_named(None)``."""
    return {} if game == _UNNAMED.GAME else {"game": game}
