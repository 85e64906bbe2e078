"""The server's side of the game socket, for one player or spectator of any game.

A frame from the client becomes an effect for the driver to carry out; an event becomes frames, in the game's dialect or
the common format. Frame types of our own are sent only to clients that asked for extensions; extra members are sent to
all. Frames are read in ``client_frames``, ``actions`` and ``chat_messages``; ``events`` defines what the driver
reports.
"""

from dataclasses import dataclass, field

from protocols.dialects import dialect_of
from protocols.jsontext import JsonDict, read_object, write
from protocols.play import actions
from protocols.play import chat_messages as chat
from protocols.play import events as ev
from protocols.play.client_frames import PLAYER_FRAMES, AskTime
from protocols.play.position import seats_json
from protocols.session import MAX_BAD_MESSAGES, POLICY_VIOLATION, Close, Effect, Event, RemoteError, Send
from protocols.table_json import snapshot_json
from protocols.values import Attendance, Table

SPECTATOR = "Spectators cannot send game messages"


@dataclass
class GameSocket:
    """One socket. ``seat`` is None for a spectator.

    ``token`` gives access to the player's seat, in this game and in its rematch. ``with_extensions``: the client
    understands our own frame types.
    """

    seat: int | None
    token: str | None = field(default=None, repr=False)
    with_extensions: bool = False
    _table: Table | None = field(default=None, init=False)
    _attendance: Attendance = field(default=Attendance(), init=False)
    _claimable_at: int | None = field(default=None, init=False)
    _has_asked_for_chat: bool = field(default=False, init=False)
    _bad_messages: int = field(default=0, init=False)

    def receive(self, frame: str) -> list[Effect]:
        """Handle one text frame."""
        try:
            return self._take(read_object(frame))
        except RemoteError as error:
            return self._bad(str(error))

    def notify(self, event: Event) -> list[Effect]:
        """Handle one event from the driver."""
        match event:
            case ev.Opened():
                return self._opened(event)
            case ev.Changed():
                return self._changed(event.update)
            case ev.PresenceChanged() if event.attendance != self._attendance:
                self._attendance = event.attendance
                return self._match_status()
            case ev.MoveTaken() | ev.ClaimableAt() if self.with_extensions:
                return self._extension(event)
            case ev.ServerTime(now=now):
                return [_send({"type": "pong", "timestamp": now})]
            case ev.RequestRefused():
                return [_send(_refused(event))]
            case actions.ActionDone() | actions.ActionRefused():
                return [_send(actions.action_json(event))]
            case chat.ChatHeard() | chat.ChatKept() | chat.ChatRefused():
                return [_send(frame) for frame in chat.frames(event, self.seat)]
            case _:
                return []

    # ---- frames of the client --------------------------------------------------------------------

    def _take(self, message: JsonDict) -> list[Effect]:
        match message.get("type"):
            case "ping":
                return [AskTime()]
            case "chat-history" if not self._has_asked_for_chat:
                self._has_asked_for_chat = True
                return [chat.AskChat()]
            case "chat-message":
                request = chat.read_chat(message, self.seat)
                return self.notify(request) if isinstance(request, chat.ChatRefused) else [request]
            case "action-request" if self.seat is not None:
                return [actions.read_action(message, self._table, self.seat)]
            case str(kind) if kind in PLAYER_FRAMES and self.seat is not None:
                return [PLAYER_FRAMES[kind](message, self._table)]
            case str(kind) if kind in (*PLAYER_FRAMES, "action-request"):
                return [_error(SPECTATOR)]
            case str(kind):
                return self._bad(f"unknown message type {kind!r}")
            case _:
                return self._bad("type must be a string")

    def _bad(self, reason: str) -> list[Effect]:
        self._bad_messages += 1
        if self._bad_messages >= MAX_BAD_MESSAGES:
            return [Close(POLICY_VIOLATION, "Too many unexpected messages")]
        return [_error(reason)]

    # ---- frames to the client --------------------------------------------------------------------

    def _opened(self, event: ev.Opened) -> list[Effect]:
        update = event.update
        self._table, self._attendance = update.table, event.attendance
        welcome = _send({"type": "welcome", "socketId": event.socket_id})
        return [welcome, self._state(update), *self._match_status(), *self._notices(update)]

    def _changed(self, update: ev.GameUpdate) -> list[Effect]:
        before, self._table = self._table, update.table
        if before is None or update.table.seq <= before.seq:
            self._table = before
            return []
        out: list[Effect] = [self._state(update)] if update.is_new_state else []
        if before.status != update.table.status or not _has_same_seats(before, update.table):
            out += self._match_status()
        return [*out, *self._notices(update)]

    def _state(self, update: ev.GameUpdate) -> Effect:
        return Send(update.extended if self.with_extensions else update.plain)

    def _extension(self, event: ev.MoveTaken | ev.ClaimableAt) -> list[Effect]:
        if isinstance(event, ev.MoveTaken):
            return [_send(_taken(event))]
        if event.at == self._claimable_at:
            return []
        self._claimable_at = event.at
        return [_send({"type": "claim", "claimableAt": event.at, "serverTime": event.now})]

    def _match_status(self) -> list[Effect]:
        if self._table is None or not (self.with_extensions or dialect_of(self._table.game)):
            return []
        snapshot = snapshot_json(self._table, self._attendance)
        return [_send({"type": "match-status", "snapshot": snapshot, "seq": self._table.seq})]

    def _notices(self, update: ev.GameUpdate) -> list[Effect]:
        """Frames for the notices: a rematch is sent to everyone; offers and rejections to the other players."""
        return [
            _send(self._started(notice, notice.new_game_id) if notice.new_game_id else _offer(notice))
            for notice in update.notices
            if notice.new_game_id is not None or self.seat not in (None, notice.seat)
        ]

    def _started(self, notice: ev.Notice, new_game_id: str) -> JsonDict:
        """The frame of a rematch. The player's token is also the token of the seat in the new game."""
        frame: JsonDict = {"type": notice.name, "newGameId": new_game_id, "seq": notice.seq}
        if self.seat is not None and self.token is not None:
            frame["seat"] = {"token": self.token, "socketToken": self.token}
        return frame


def _has_same_seats(before: Table, table: Table) -> bool:
    return before.seats == table.seats or seats_json(before) == seats_json(table)


def _offer(notice: ev.Notice) -> JsonDict:
    return {"type": notice.name, "playerId": notice.seat + 1, "seq": notice.seq}


def _taken(event: ev.MoveTaken) -> JsonDict:
    out: JsonDict = {"type": "move-taken", "ply": event.ply}
    if event.message_id is not None:
        out["clientMsgId"] = event.message_id
    return {**out, "pending": list(event.pending)} if event.pending else out


def _refused(event: ev.RequestRefused) -> JsonDict:
    frame: JsonDict = {"type": "error", "message": event.body["error"], **event.body}
    return frame if event.message_id is None else {**frame, "clientMsgId": event.message_id}


def _error(text: str) -> Effect:
    return _send({"type": "error", "message": text})


def _send(frame: JsonDict) -> Effect:
    return Send(write(frame))
