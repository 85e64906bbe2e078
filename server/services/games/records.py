"""Exports records of games, and imports games that were played elsewhere.

``protocols.records`` reads and writes the formats; this module turns a record into a stored game, or refuses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engines import Position
from protocols.names import name_fault
from protocols.records import formats
from protocols.records.record import BadMove, BadStart, Reading, RecordError
from protocols.records.replay import replay, result_of, start_of
from protocols.values import Record, Visibility
from server.domain.errors import ApiError, Code
from server.domain.events import Event, Recorded
from server.domain.game import GameState
from server.domain.records import log_of, record_of
from server.services.address_limit import AddressLimit
from server.services.games.game_factory import check_beginning, check_time_control
from server.services.games.games import Games
from server.services.games.record_cache import ExportedRecord, RecordCache
from server.services.games.stored_bytes import StoredBytes
from server.services.heavy_work import HeavyWork

MAX_BOT_ID = 200

KEPT_CHARACTERS = 8_000_000
"""The length of all cached records together: a record has at most about 700,000."""


@dataclass(frozen=True, slots=True)
class ImportedRecord:
    """An imported game; ``notes`` say what in its record was ignored or assumed."""

    state: GameState
    notes: tuple[str, ...]


class Records:
    """Records of the games of the server."""

    def __init__(
        self, games: Games, imports: AddressLimit, work: HeavyWork, stored: StoredBytes | None = None
    ) -> None:
        """``imports`` limits the concurrent imports of each client address, ``stored`` what they add."""
        self._games = games
        self._imports = imports
        self._work = work
        self._stored = stored or StoredBytes()
        self._written = RecordCache(KEPT_CHARACTERS)

    async def export(self, game_id: str, name: str) -> ExportedRecord:
        """Returns a game in the format called ``name``; the record of a live game has no secrets. Raises ApiError."""
        state = await self._games.latest(game_id)
        key = (game_id, state.version, name)
        found = self._written.find(key)
        if found is None:
            self._work.check()
            log = await self._games.events_after(state, 0)
            found = await self._work.run(_exported, state, log, name)
            if not state.is_live:
                self._written.add(key, found)
        return found

    def check_room(self) -> None:
        """ApiError if no record can be imported now: the client's quota or the room on the disk is used up."""
        self._stored.check_import()

    async def take_in(
        self,
        name: str,
        text: str,
        address: str | None = None,
        plies: int | None = None,
        visibility: Visibility = Visibility.PUBLIC,
    ) -> ImportedRecord:
        """Imports a game that was played elsewhere, or its first ``plies`` moves. ``address`` is the client's.

        ApiError if nothing was stored.
        """
        self.check_room()
        with self._imports.holding(address):
            reading, events = await self._work.run(_played, name, text, plies, visibility)
            return ImportedRecord(await self._games.keep(reading.record.game, events), reading.notes)


def _exported(state: GameState, log: Sequence[Recorded], name: str) -> ExportedRecord:
    record = record_of(state, log)
    try:
        text = formats.write(record, name)
        return ExportedRecord(text, formats.find(name).media_type, formats.lost(record, name))
    except formats.UnknownFormat as refusal:
        raise unsupported(refusal) from None


def _played(
    name: str, text: str, plies: int | None, visibility: Visibility
) -> tuple[Reading, tuple[Event, ...]]:
    """Returns the record in a text, and the log of its game. May take long; runs on a thread. Raises ApiError."""
    reading = read(name, text, plies)
    _check_people(reading.record)
    check_beginning(reading.record.game, reading.record.config, "text")
    try:
        position = replay(reading)
        result = result_of(reading.record, position)
    except RecordError as refusal:
        raise refused(refusal) from None
    events = log_of(reading.record, start_of(reading.record), position, result, visibility)
    return reading, events


def read(name: str, text: str, plies: int | None = None) -> Reading:
    """Parses a text as a record, or its first ``plies`` moves, without a check by the rules. Raises ApiError."""
    try:
        return formats.read(text, name, plies)
    except formats.UnknownFormat as refusal:
        raise unsupported(refusal) from None
    except RecordError as refusal:
        raise refused(refusal) from None


def position_of(reading: Reading) -> Position:
    """Returns the final position of a record, from its public start, as searches see it. Raises ApiError.

    The record's result is ignored.
    """
    try:
        full = replay(reading)
    except RecordError as refusal:
        raise refused(refusal) from None
    position = Position(full.game, full.variant, full.config)
    position.play(*full.history)
    return position


def _check_people(record: Record) -> None:
    check_time_control(record.time_control, record.game)
    for number, seat in enumerate(record.seats, start=1):
        named = {"name": name_fault(seat.name or ""), "bot": name_fault(seat.bot_id or "", MAX_BOT_ID)}
        for member, fault in named.items():
            if fault is not None:
                raise ApiError(Code.BAD_RECORD, f"player {number}: the {member} must {fault}", field="text")


def unsupported(refusal: formats.UnknownFormat) -> ApiError:
    """Returns the error for a format that cannot be used."""
    return ApiError(Code.UNSUPPORTED, str(refusal), field="format")


def refused(refusal: RecordError, field: str = "text") -> ApiError:
    """Returns the error for an invalid record in this member of the request."""
    text = str(refusal)
    match refusal:
        case BadMove(ply=ply):
            return ApiError(Code.ILLEGAL_MOVE, text, field=field, ply=ply)
        case BadStart(is_game=is_game):
            return ApiError(Code.UNKNOWN_GAME if is_game else Code.BAD_CONFIG, text, field=field)
        case RecordError(limit=int(limit)):
            return ApiError(Code.OVER_LIMIT, text, field=field, limit=limit)
        case _:
            return ApiError(Code.BAD_RECORD, text, field=field)
