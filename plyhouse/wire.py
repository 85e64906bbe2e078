"""The requests that clients send to a server, and the values of its answers. Pure: values in, values out.

A :class:`Call` is one HTTP request and the function that reads its answer; a :class:`Following` reads the frames of a
game's socket. ``client`` sends and receives them.
"""

import json
import random
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeGuard, TypeVar
from urllib.parse import quote, urlencode

from protocols.reconnecting import first_pause

Json = Mapping[str, Any]
T_co = TypeVar("T_co", covariant=True)

PAUSES = (0.5, 1.0, 1.5)
"""Seconds to wait before each further attempt, after a broken connection or a refusal that is passing."""


class ServerError(Exception):
    """The server refused a request; nothing has changed.

    ``code`` is one of the codes in docs/api.md. ``retry_after_ms`` says when to retry; None if that would not help.
    """

    def __init__(self, status: int, body: Json) -> None:
        super().__init__(str(body.get("error", _nameless(status))))
        self.status = status
        self.code = str(body.get("code", ""))
        self.retry_after_ms: int | None = body.get("retryAfterMs")
        self.body = body

    @property
    def is_passing(self) -> bool:
        """Whether a server that stops, or a proxy that reached no server, answered; another attempt may succeed."""
        return self.status in (502, 503, 504) and self.code in ("", "unavailable")


def _nameless(status: int) -> str:
    """What an answer says that names no error."""
    hint = ": the server has another address, perhaps with https" if 300 <= status < 400 else ""
    return f"HTTP status {status}{hint}"


@dataclass(frozen=True, slots=True)
class Call(Generic[T_co]):
    """One HTTP request. ``read`` returns the value of a successful answer; ``token`` is sent as bearer token.

    ``is_repeatable``: sending it twice has the same effect as sending it once. ``is_slow``: send it without a time-out.
    """

    method: str
    path: str
    read: Callable[[Json], T_co]
    body: Json | None = None
    token: str | None = None
    is_repeatable: bool = False
    is_slow: bool = False

    @property
    def for_httpx(self) -> dict[str, Any]:
        """The arguments of ``httpx.Client.request``."""
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        slow = {"timeout": None} if self.is_slow else {}
        return {"method": self.method, "url": self.path, "json": self.body, "headers": headers, **slow}

    @property
    def pauses(self) -> tuple[float, ...]:
        """Seconds to wait before each further attempt, after a broken connection or an ``is_passing`` refusal."""
        return PAUSES if self.is_repeatable else ()

    def answer(self, status: int, body: bytes) -> T_co:
        """The value of an answer; ServerError if its status is 300 or more, or if it is not JSON."""
        if status >= 300:
            raise refusal_of(status, body)
        try:
            answer = json.loads(body)
        except ValueError:
            text = "The answer is not JSON: is this the address of a Plyhouse server?"
            raise ServerError(status, {"error": text}) from None
        return self.read(answer)


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game.

    ``to_act`` are the seats that have to move now; ``pending`` is the same once another seat has made its part of a
    simultaneous move, and empty otherwise. ``legal`` has the choices of each: whole moves, or single actions in
    games with too many moves. ``clocks`` has the milliseconds left per seat, None without a clock. ``winners`` and
    ``reason`` are set in finished games; ``winners`` is empty for a draw. ``view`` describes the board.
    """

    game: str
    variant: str
    ply: int
    to_act: tuple[int, ...]
    pending: tuple[int, ...]
    status: str
    history: tuple[str, ...]
    legal: Mapping[int, tuple[str, ...]]
    clocks: tuple[int | None, ...]
    winners: tuple[int, ...] | None
    reason: str | None
    view: Json

    @property
    def is_over(self) -> bool:
        """Whether the game is finished or aborted."""
        return self.status in ("finished", "aborted")


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat of a new game. ``token`` gives access to it; the server reveals it only once, to the creator."""

    seat: int
    kind: str
    token: str | None
    invite_url: str | None


@dataclass(frozen=True, slots=True)
class NewGame:
    """A newly created game."""

    game_id: str
    seats: tuple[NewSeat, ...]
    state: GameState


@dataclass(frozen=True, slots=True)
class Joined:
    """A newly taken seat; ``token`` gives access to it."""

    game_id: str
    seat: int
    token: str
    state: GameState


@dataclass(frozen=True, slots=True)
class Moved:
    """An acknowledged move: it is durable. ``pending`` are the seats whose moves a simultaneous turn is waiting for."""

    ply: int
    pending: tuple[int, ...]
    state: GameState | None


@dataclass(frozen=True, slots=True)
class ServerBot:
    """A bot that a server offers; ``id`` names it in ``create``."""

    id: str
    name: str
    game: str
    variants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of the position after ``ply`` moves. ``values``: per seat, in [-1, 1]."""

    ply: int
    values: tuple[float, ...]
    best_move: str
    samples: int
    source: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """The evaluations of a game, and the accuracy of each seat (0 to 100; None for a seat without moves)."""

    positions: tuple[Evaluation, ...]
    accuracy: tuple[float | None, ...]


# ---- requests ------------------------------------------------------------------------------------


def create(
    game: str,
    seats: Sequence[str | Json] = ("human", "bot"),
    *,
    variant: str | None = None,
    config: Json | None = None,
    time_control: tuple[float, float] | None = None,
    more: Json | None = None,
) -> Call[NewGame]:
    """Creates a game.

    A seat is ``human``, ``open``, ``bot``, the id of a bot, or an object as in docs/api.md. ``time_control`` is
    (initial seconds, increment seconds); ``more`` are further members of the body, such as ``{"listed": True}``.
    """
    body: dict[str, Any] = {"game": game, "seats": [_seat(seat) for seat in seats], **(more or {})}
    if variant is not None:
        body["variant"] = variant
    if config is not None:
        body["config"] = config
    if time_control is not None:
        initial, increment = time_control
        body["timeControl"] = {"initialSeconds": initial, "incrementSeconds": increment}
    return Call("POST", "/api/games", read_new_game, body)


def _seat(seat: str | Json) -> Json:
    """The seat as an object of the body."""
    if not isinstance(seat, str):
        return seat
    return {"kind": seat} if seat in ("human", "open", "bot") else {"kind": "bot", "bot": seat}


def bots(game: str = "all") -> Call[tuple[ServerBot, ...]]:
    """The bots that are available now for a game, official ones first."""
    return Call("GET", f"/api/bots?{urlencode({'game': game})}", read_bots, is_repeatable=True)


def join(game_id: str, name: str | None = None, seat: int | None = None) -> Call[Joined]:
    """Takes an open seat, by default the first."""
    given = {"name": name, "seat": seat}
    body = {key: value for key, value in given.items() if value is not None}
    return Call("POST", f"{_path(game_id)}/join", read_joined, body)


def state(game_id: str, token: str | None = None) -> Call[GameState]:
    """The current state of a game."""
    return Call("GET", _path(game_id), read_answered_state, token=token, is_repeatable=True)


def move(game_id: str, token: str, move: str, expected_ply: int | None = None) -> Call[Moved]:
    """Plays a move exactly once, even if connections break. The move is durable once this returns."""
    # The message id makes it safe to send the move again.
    body: dict[str, Any] = {"move": move, "clientMsgId": secrets.token_urlsafe(12)}
    if expected_ply is not None:
        body["expectedPly"] = expected_ply
    return Call("POST", f"{_path(game_id)}/moves", read_moved, body, token, is_repeatable=True)


def resign(game_id: str, token: str) -> Call[None]:
    """Resigns."""
    return Call("POST", f"{_path(game_id)}/resign", lambda _: None, token=token)


def import_record(text: str, record_format: str = "auto") -> Call[str]:
    """Imports the record of a game that was played elsewhere, and returns the id of the game."""
    body = {"text": text, "format": record_format}
    return Call("POST", "/api/games/import", lambda answer: str(answer["gameId"]), body)


def analyse(game: str | Json, samples: int | None = None) -> Call[Analysis]:
    """Evaluates every position of a game: one on the server, given by its id, or one given as in docs/api.md."""
    what = {"gameId": game} if isinstance(game, str) else game
    body = what if samples is None else {**what, "samples": samples}
    return Call("POST", "/api/analysis?wait=1", read_analysis, body, is_repeatable=True, is_slow=True)


def _path(game_id: str) -> str:
    return f"/api/games/{quote(game_id, safe='')}"


# ---- a game's socket -----------------------------------------------------------------------------


class Following:
    """Reads the states of one game from its socket, over several connections."""

    def __init__(self, url: str, game_id: str, token: str | None) -> None:
        """``url`` is the server's address."""
        query = {"ext": "1"} if token is None else {"ext": "1", "token": token}
        path = f"/ws/games/{quote(game_id, safe='')}?{urlencode(query)}"
        self.address = url.replace("http", "ws", 1) + path
        self._state = state(game_id, token)
        self._last: GameState | None = None
        self._broken = 0
        self._first_pause = PAUSES[0]

    def pauses(self) -> Iterator[float]:
        """Seconds to wait before each connection; ends after several connections in a row without a frame."""
        yield 0.0
        while self._broken < len(PAUSES):
            self._broken += 1
            yield self._first_pause if self._broken == 1 else PAUSES[self._broken - 1]

    def closed(self, received: int | None, sent: int | None) -> None:
        """Called with the close codes of a connection that has ended, None if there was none."""
        self._first_pause = first_pause(received, sent, PAUSES[0], random.random())  # noqa: S311 - spreads clients

    def read(self, frame: str | bytes) -> GameState | Call[GameState] | None:
        """The state in a frame, or how to request it if the frame lacks the first moves of a long game."""
        self._broken = 0
        self._first_pause = PAUSES[0]
        message = json.loads(frame)
        if message["type"] != "state":
            return None
        if message["position"].get("historyFrom", 0) > 0:
            return self._state
        return read_state(message["position"])

    def is_new(self, state: GameState | None) -> TypeGuard[GameState]:
        """Whether a state differs from the previous one; it becomes the previous one."""
        if state is None or state == self._last:
            return False
        self._last = state
        return True

    @property
    def is_over(self) -> bool:
        """Whether no further state will follow."""
        return self._last is not None and self._last.is_over


# ---- answers -------------------------------------------------------------------------------------


def read_state(position: Json) -> GameState:
    """Reads the ``position`` of an answer or a frame."""
    legal, to_act = position["legal"], tuple(position["toAct"])
    choices = legal.items() if isinstance(legal, Mapping) else ((seat, legal) for seat in to_act)
    result = position.get("result")
    return GameState(
        game=position["game"],
        variant=position["variant"],
        ply=position["ply"],
        to_act=to_act,
        pending=tuple(position.get("pending", ())),
        status=position["status"],
        history=tuple(position["history"]),
        legal={int(seat): tuple(moves) for seat, moves in choices},
        clocks=tuple(position["clocks"]),
        winners=None if result is None else tuple(result["winners"]),
        reason=None if result is None else result["reason"],
        view=position["view"],
    )


def read_answered_state(answer: Json) -> GameState:
    """Reads the answer to ``state``."""
    return read_state(answer["position"])


def read_new_game(answer: Json) -> NewGame:
    """Reads the answer to ``create``."""
    seats = (
        NewSeat(seat["seat"], seat["kind"], seat.get("token"), seat.get("inviteUrl"))
        for seat in answer["seats"]
    )
    return NewGame(answer["gameId"], tuple(seats), read_state(answer["position"]))


def read_bots(answer: Json) -> tuple[ServerBot, ...]:
    """Reads the answer to ``bots``."""
    return tuple(
        ServerBot(bot["id"], bot["name"], bot["game"], tuple(bot["variants"])) for bot in answer["bots"]
    )


def read_joined(answer: Json) -> Joined:
    """Reads the answer to ``join``. ServerError if all seats are taken."""
    if answer.get("token") is None:
        raise ServerError(409, {"error": "All seats are taken.", "code": "seat-taken"})
    return Joined(answer["gameId"], answer["seatIndex"], answer["token"], read_state(answer["position"]))


def read_moved(answer: Json) -> Moved:
    """Reads the answer to ``move``."""
    position = answer.get("position")
    state = None if position is None else read_state(position)
    return Moved(answer["ply"], tuple(answer.get("pending", ())), state)


def read_analysis(answer: Json) -> Analysis:
    """Reads the answer to ``analyse``. ServerError if the analysis was not completed."""
    if answer["status"] != "done":
        raise ServerError(503, {"error": answer.get("error") or f"the analysis was {answer['status']}"})
    positions = (
        Evaluation(one["ply"], tuple(one["values"]), one["bestMove"], one["samples"], one["source"])
        for one in answer["positions"]
    )
    return Analysis(tuple(positions), tuple(seat["accuracy"] for seat in answer["summary"]))


def refusal_of(status: int, body: bytes | bytearray | None) -> ServerError:
    """The error for an answer with an error status."""
    try:
        read = json.loads(body or b"")
    except ValueError:
        read = None
    return ServerError(status, read if isinstance(read, dict) else {})
