"""Records of games: handing them out, and taking in games that were played elsewhere.

Formats are read and written by ``protocols.records``; here a text becomes a game of ours or a refusal.
"""

import asyncio
from dataclasses import dataclass

from engines import Position
from protocols.names import MAX_NAME, name_fault
from protocols.records import formats
from protocols.records.record import BadMove, BadStart, Reading, Record, RecordError
from protocols.records.replay import replay, result_of
from server.domain.clock import TimeControl
from server.domain.errors import ApiError, Code
from server.domain.events import Event
from server.domain.game import GameState
from server.domain.records import log_of, record_of
from server.services.games import Games
from server.services.opening import check_time_control

MAX_BOT_ID = 200


@dataclass(frozen=True, slots=True)
class Written:
    """A record as text. ``lost`` names the parts of the game that the format does not keep."""

    text: str
    media_type: str
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenIn:
    """A game from elsewhere; ``notes`` say what in its record was passed over or assumed."""

    state: GameState
    notes: tuple[str, ...]


class Records:
    """Records of the games of the house."""

    def __init__(self, games: Games) -> None:
        self._games = games

    async def export(self, game_id: str, name: str) -> Written:
        """A game in the format of this name; a running one without what is still secret. ApiError."""
        state = await self._games.get(game_id)
        record = record_of(state, await self._games.events_after(state, 0))
        try:
            text = formats.write(record, name)
            return Written(text, formats.find(name).media_type, formats.lost(record, name))
        except formats.UnknownFormat as refusal:
            raise _unsupported(refusal) from None

    async def take_in(self, name: str, text: str) -> TakenIn:
        """A game that was played elsewhere, kept like any other. ApiError: nothing was kept."""
        reading, events = await asyncio.to_thread(_played, name, text)
        return TakenIn(await self._games.keep(reading.record.game, events), reading.notes)


def _played(name: str, text: str) -> tuple[Reading, tuple[Event, ...]]:
    """The record in a text, and the log of its game; takes its time where it is long. ApiError."""
    reading = read(name, text)
    _check_people(reading.record)
    try:
        position = replay(reading)
        result = result_of(reading.record, position)
    except RecordError as refusal:
        raise _refused(refusal) from None
    return reading, log_of(reading, position, result)


def read(name: str, text: str) -> Reading:
    """What a text says, unchecked by the rules; ApiError."""
    try:
        return formats.read(text, name)
    except formats.UnknownFormat as refusal:
        raise _unsupported(refusal) from None
    except RecordError as refusal:
        raise _refused(refusal) from None


def position_of(reading: Reading) -> Position:
    """The position that a record leads to, from its public start, as searches see it; ApiError.

    How the game ended does not matter here.
    """
    try:
        full = replay(reading)
    except RecordError as refusal:
        raise _refused(refusal) from None
    position = Position(full.game, full.variant, full.config)
    position.play(*full.history)
    return position


def _check_people(record: Record) -> None:
    if record.time_control is not None:
        control = record.time_control
        check_time_control(TimeControl(control.initial_seconds, control.increment_seconds))
    for seat in record.seats:
        fault = name_fault(seat.name or "")
        if fault is not None:
            raise ApiError(Code.BAD_SEATS, f"A name must {fault}.", limit=MAX_NAME)
        fault = name_fault(seat.bot or "", MAX_BOT_ID)
        if fault is not None:
            raise ApiError(Code.BAD_SEATS, f"A bot's id must {fault}.", limit=MAX_BOT_ID)


def _unsupported(refusal: formats.UnknownFormat) -> ApiError:
    return ApiError(Code.UNSUPPORTED, str(refusal), field="format")


def _refused(refusal: RecordError) -> ApiError:
    text = str(refusal)
    match refusal:
        case BadMove(ply=ply):
            return ApiError(Code.ILLEGAL_MOVE, text, field="text", ply=ply)
        case BadStart(is_game=is_game):
            return ApiError(Code.UNKNOWN_GAME if is_game else Code.BAD_CONFIG, text, field="text")
        case RecordError(limit=int(limit)):
            return ApiError(Code.OVER_LIMIT, text, field="text", limit=limit)
        case _:
            return ApiError(Code.BAD_RECORD, text, field="text")
