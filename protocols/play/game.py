"""The server's side of the game socket, for one player or spectator of any game.

A frame becomes a wish for the driver to carry out, a change of the game becomes frames. Wallwars speaks its
site's messages; every other game the common ones. Frame types that the site does not have go only to clients
that asked for extensions; the extra members ``seq`` and ``offer`` go to everybody.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from protocols.jsontext import JsonDict, MistypedError, count, filled, read_object, write
from protocols.play import site
from protocols.play.position import position_json, seats_json
from protocols.play.table import Attendance, Table
from protocols.session import (
    MAX_BAD_MESSAGES,
    POLICY_VIOLATION,
    Close,
    Effect,
    Event,
    RemoteError,
    Send,
)

SPECTATOR = "Spectators cannot send game messages"

MAX_MESSAGE_ID = 128
"""Characters of the id that a client gives a message."""


# ---- effects: what the driver is to do -----------------------------------------------------------


class OfferStep(StrEnum):
    """What a player does about an offer."""

    OFFER = "offer"
    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class SubmitMove(Effect):
    """Play ``text`` for the player."""

    text: str
    expected_ply: int | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class HandleOffer(Effect):
    """Make, accept or reject an offer; ``kind`` is takeback or draw."""

    kind: str
    step: OfferStep


@dataclass(frozen=True, slots=True)
class Resign(Effect):
    """Resign for the player."""


@dataclass(frozen=True, slots=True)
class AskTime(Effect):
    """Tell the time: a ping is answered with it."""


# ---- events: what the driver tells ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Notice:
    """``seat`` has made an offer or rejected one: ``name`` is the frame's type, such as ``draw-offer``."""

    name: str
    seat: int


@dataclass(frozen=True)
class Picture:
    """A moment of a game and what led to it, with the frames that all who follow it get, each written once.

    ``is_new_state``: the board, the seats or the clocks have changed, and not only an offer.
    """

    table: Table
    notices: tuple[Notice, ...] = ()
    is_new_state: bool = True

    @cached_property
    def plain(self) -> str:
        """The ``state`` frame."""
        return write(_state_frame(self.table))

    @cached_property
    def extended(self) -> str:
        """The ``state`` frame for clients with extensions: with ``position`` and ``seats`` for every game."""
        return write(_extended_frame(self.table))


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """The socket is open; ``attendance`` counts its own player in."""

    socket_id: str
    picture: Picture
    attendance: Attendance


@dataclass(frozen=True, slots=True)
class Changed(Event):
    """The game has changed."""

    picture: Picture


@dataclass(frozen=True, slots=True)
class PresenceChanged(Event):
    """Players have come or gone."""

    attendance: Attendance


@dataclass(frozen=True, slots=True)
class MoveTaken(Event):
    """The player's move is in; ``pending`` are the seats that a simultaneous move waits for."""

    ply: int
    message_id: str | None
    pending: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeTold(Event):
    """The present time in milliseconds since the epoch."""

    now: int


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """The player's wish was refused; ``body`` is the error's body."""

    body: Mapping[str, Any]


# ---- the session ---------------------------------------------------------------------------------


@dataclass
class GameSocket:
    """One socket. ``seat`` None: a spectator.

    ``with_extensions``: the client understands our own frame types.
    """

    seat: int | None
    with_extensions: bool = False
    _table: Table | None = field(default=None, init=False)
    _attendance: Attendance = field(default=Attendance(), init=False)
    _bad_messages: int = field(default=0, init=False)

    def receive(self, frame: str) -> list[Effect]:
        """Take one text frame."""
        try:
            return self._take(read_object(frame))
        except RemoteError as error:
            return self._bad(str(error))
        except MistypedError as error:
            return self._bad(f"a member must be {error}")

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        match event:
            case Opened():
                return self._opened(event)
            case Changed():
                return self._changed(event.picture)
            case PresenceChanged() if event.attendance != self._attendance:
                self._attendance = event.attendance
                return self._match_status()
            case MoveTaken() if self.with_extensions:
                return [Send(write(_taken(event)))]
            case TimeTold(now=now):
                return [Send(write({"type": "pong", "timestamp": now}))]
            case Refused():
                return [Send(write({"type": "error", "message": event.body["error"], **event.body}))]
            case _:
                return []

    # ---- frames of the client --------------------------------------------------------------------

    def _take(self, message: JsonDict) -> list[Effect]:
        kind = message.get("type")
        if kind == "ping":
            return [AskTime()]
        wish = _WISHES.get(kind) if isinstance(kind, str) else None
        if wish is None:
            return self._bad(
                f"unknown message type {kind!r}" if isinstance(kind, str) else "type must be a string"
            )
        if self.seat is None:
            return [_error(SPECTATOR)]
        return [wish(message, self._table)]

    def _bad(self, reason: str) -> list[Effect]:
        self._bad_messages += 1
        if self._bad_messages >= MAX_BAD_MESSAGES:
            return [Close(POLICY_VIOLATION, "Too many unexpected messages")]
        return [_error(reason)]

    # ---- frames to the client --------------------------------------------------------------------

    def _opened(self, event: Opened) -> list[Effect]:
        self._table, self._attendance = event.picture.table, event.attendance
        welcome = Send(write({"type": "welcome", "socketId": event.socket_id}))
        return [welcome, self._state(event.picture), *self._match_status()]

    def _changed(self, picture: Picture) -> list[Effect]:
        before, self._table = self._table, picture.table
        if before is None or picture.table.seq <= before.seq:
            self._table = before
            return []
        out: list[Effect] = [self._state(picture)] if picture.is_new_state else []
        if (before.players, before.status) != (picture.table.players, picture.table.status):
            out += self._match_status()
        return [*out, *self._notices(picture)]

    def _state(self, picture: Picture) -> Effect:
        return Send(picture.extended if self.with_extensions else picture.plain)

    def _match_status(self) -> list[Effect]:
        if self._table is None or self._table.game != site.GAME:
            return []
        snapshot = site.snapshot_json(self._table, self._attendance)
        return [Send(write({"type": "match-status", "snapshot": snapshot, "seq": self._table.seq}))]

    def _notices(self, picture: Picture) -> list[Effect]:
        """Offers and rejections are for the other players."""
        if self.seat is None:
            return []
        return [
            Send(write({"type": notice.name, "playerId": notice.seat + 1, "seq": picture.table.seq}))
            for notice in picture.notices
            if notice.seat != self.seat
        ]


# ---- wishes --------------------------------------------------------------------------------------


def _submit_move(message: JsonDict, table: Table | None) -> Effect:
    move = message.get("move")
    if isinstance(move, str):
        text = move
    elif table is not None and table.game == site.GAME:
        text = site.move_text(move, table.config["boardHeight"])
    else:
        raise MistypedError("a move as text")
    expected, message_id = message.get("expectedPly"), message.get("clientMsgId")
    return SubmitMove(
        text,
        None if expected is None else count(expected),
        None if message_id is None else _message_id(message_id),
    )


def _message_id(value: object) -> str:
    message_id = filled(value)
    if len(message_id) > MAX_MESSAGE_ID:
        raise MistypedError(f"a message id of at most {MAX_MESSAGE_ID} characters")
    return message_id


def _offer(kind: str, step: OfferStep) -> Callable[[JsonDict, Table | None], Effect]:
    effect = HandleOffer(kind, step)
    return lambda message, table: effect


_WISHES: Mapping[str, Callable[[JsonDict, Table | None], Effect]] = {
    "submit-move": _submit_move,
    "resign": lambda message, table: Resign(),
    **{f"{kind}-{step.value}": _offer(kind, step) for kind in ("takeback", "draw") for step in OfferStep},
}


# ---- frames --------------------------------------------------------------------------------------


def _state_frame(table: Table) -> JsonDict:
    state = site.state_json(table) if table.game == site.GAME else position_json(table)
    frame: JsonDict = {"type": "state", "state": state, "seq": table.seq}
    if table.proposal is not None:
        offer: JsonDict = {"kind": table.proposal.kind, "seat": table.proposal.seat}
        frame["offer"] = offer if table.proposal.to_ply is None else {**offer, "toPly": table.proposal.to_ply}
    return frame


def _extended_frame(table: Table) -> JsonDict:
    frame = _state_frame(table)
    frame["position"] = position_json(table) if table.game == site.GAME else frame["state"]
    frame["seats"] = seats_json(table)
    return frame


def _taken(event: MoveTaken) -> JsonDict:
    out: JsonDict = {"type": "move-taken", "ply": event.ply}
    if event.message_id is not None:
        out["clientMsgId"] = event.message_id
    return {**out, "pending": list(event.pending)} if event.pending else out


def _error(text: str) -> Effect:
    return Send(write({"type": "error", "message": text}))
