"""What the clients say to a server and what its answers mean. Pure: values in, values out.

A :class:`Call` is one HTTP request; the ``read_…`` functions turn answers into values. ``client`` and ``async_client``
carry the calls out.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

Json = Mapping[str, Any]


class ServerError(Exception):
    """The server refused a request; nothing was changed.

    ``code`` is one of the codes in docs/api.md, ``retry_after_ms`` says when to try again, where that helps.
    """

    def __init__(self, status: int, body: Json) -> None:
        super().__init__(str(body.get("error", f"HTTP status {status}")))
        self.status = status
        self.code = str(body.get("code", ""))
        self.retry_after_ms: int | None = body.get("retryAfterMs")
        self.body = body


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP request. ``token`` is sent as bearer token.

    ``is_repeatable``: sent twice it does the same as once. ``is_slow``: the answer may take any time.
    """

    method: str
    path: str
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


@dataclass(frozen=True, slots=True)
class GameState:
    """A game as the server shows it.

    ``to_act`` are the seats that have to move now, ``legal`` is what each of them may choose from: whole moves, or in
    games with too many of them single actions. ``clocks`` has milliseconds per seat, None without a clock. ``winners``
    and ``reason`` are set in finished games; no winners: a draw. ``view`` is what is on the board.
    """

    game: str
    variant: str
    ply: int
    to_act: tuple[int, ...]
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
    """A seat of a new game. ``token`` plays it: the server shows it only once, and to nobody else."""

    seat: int
    kind: str
    token: str | None
    invite_url: str | None


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game that was just created."""

    game_id: str
    seats: tuple[NewSeat, ...]
    state: GameState


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat that was just taken; ``token`` plays it."""

    game_id: str
    seat: int
    token: str
    state: GameState


@dataclass(frozen=True, slots=True)
class Moved:
    """An acknowledged move: it is durable. ``pending`` are the seats that a simultaneous move still waits for."""

    ply: int
    pending: tuple[int, ...]
    state: GameState | None


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
    """The evaluations of a game, and per seat the accuracy of its play (0 to 100; None without a move)."""

    positions: tuple[Evaluation, ...]
    accuracy: tuple[float | None, ...]


# ---- requests ------------------------------------------------------------------------------------


def create(
    game: str,
    seats: Sequence[str | Json],
    variant: str | None,
    config: Json | None,
    time_control: tuple[float, float] | None,
    more: Json,
) -> Call:
    """A new game; ``more`` are further members of the body, such as ``listed``."""
    body: dict[str, Any] = {"game": game, "seats": [_seat(seat) for seat in seats], **more}
    if variant is not None:
        body["variant"] = variant
    if config is not None:
        body["config"] = config
    if time_control is not None:
        initial, increment = time_control
        body["timeControl"] = {"initialSeconds": initial, "incrementSeconds": increment}
    return Call("POST", "/api/games", body)


def _seat(seat: str | Json) -> Json:
    """``human``, ``open``, ``bot``, or the id of a bot."""
    if not isinstance(seat, str):
        return seat
    return {"kind": seat} if seat in ("human", "open", "bot") else {"kind": "bot", "bot": seat}


def join(game_id: str, name: str | None, seat: int | None) -> Call:
    """Takes an open seat."""
    given = {"name": name, "seat": seat}
    body = {key: value for key, value in given.items() if value is not None}
    return Call("POST", f"{_path(game_id)}/join", body)


def look(game_id: str, token: str | None) -> Call:
    """The present state."""
    return Call("GET", _path(game_id), token=token, is_repeatable=True)


def move(game_id: str, token: str, text: str, expected_ply: int | None) -> Call:
    """A move. Its message id makes it harmless to send it again after a broken connection."""
    body: dict[str, Any] = {"move": text, "clientMsgId": secrets.token_urlsafe(12)}
    if expected_ply is not None:
        body["expectedPly"] = expected_ply
    return Call("POST", f"{_path(game_id)}/moves", body, token, is_repeatable=True)


def resign(game_id: str, token: str) -> Call:
    """Gives the game up."""
    return Call("POST", f"{_path(game_id)}/resign", token=token)


def import_record(text: str, record_format: str) -> Call:
    """Takes in a game that was played elsewhere."""
    return Call("POST", "/api/games/import", {"text": text, "format": record_format})


def analyse(game: str | Json, samples: int | None) -> Call:
    """The whole analysis in one answer."""
    what = {"gameId": game} if isinstance(game, str) else game
    body = what if samples is None else {**what, "samples": samples}
    return Call("POST", "/api/analysis?wait=1", body, is_repeatable=True, is_slow=True)


def socket_address(url: str, game_id: str, token: str | None) -> str:
    """The address of a game's socket on the server at ``url``."""
    query = {"ext": "1"} if token is None else {"ext": "1", "token": token}
    return f"{url.replace('http', 'ws', 1)}/ws/games/{quote(game_id, safe='')}?{urlencode(query)}"


def _path(game_id: str) -> str:
    return f"/api/games/{quote(game_id, safe='')}"


# ---- answers -------------------------------------------------------------------------------------


def read_state(position: Json) -> GameState:
    """The ``position`` of an answer or a frame."""
    legal, to_act = position["legal"], tuple(position["toAct"])
    choices = legal.items() if isinstance(legal, Mapping) else ((seat, legal) for seat in to_act)
    result = position.get("result")
    return GameState(
        game=position["game"],
        variant=position["variant"],
        ply=position["ply"],
        to_act=to_act,
        status=position["status"],
        history=tuple(position["history"]),
        legal={int(seat): tuple(moves) for seat, moves in choices},
        clocks=tuple(position["clocks"]),
        winners=None if result is None else tuple(result["winners"]),
        reason=None if result is None else result["reason"],
        view=position["view"],
    )


class FirstMovesMissing(Exception):
    """A frame of a long game shows only its last moves: the whole state has to be asked for."""


def read_frame(frame: str | bytes) -> GameState | None:
    """The state that a frame of the game's socket shows; None for any other frame. FirstMovesMissing."""
    message = json.loads(frame)
    if message["type"] != "state":
        return None
    if message["position"].get("historyFrom", 0) > 0:
        raise FirstMovesMissing
    return read_state(message["position"])


def read_new_game(answer: Json) -> NewGame:
    """The answer to ``create``."""
    seats = (
        NewSeat(seat["seat"], seat["kind"], seat.get("token"), seat.get("inviteUrl"))
        for seat in answer["seats"]
    )
    return NewGame(answer["gameId"], tuple(seats), read_state(answer["position"]))


def read_joined(answer: Json) -> Joined:
    """The answer to ``join``. ServerError when all seats are taken."""
    if answer.get("token") is None:
        raise ServerError(409, {"error": "All seats are taken.", "code": "seat-taken"})
    return Joined(answer["gameId"], answer["seatIndex"], answer["token"], read_state(answer["position"]))


def read_moved(answer: Json) -> Moved:
    """The answer to ``move``."""
    position = answer.get("position")
    state = None if position is None else read_state(position)
    return Moved(answer["ply"], tuple(answer.get("pending", ())), state)


def read_analysis(answer: Json) -> Analysis:
    """The answer to ``analyse``. ServerError when the analysis did not come to its end."""
    if answer["status"] != "done":
        raise ServerError(503, {"error": answer.get("error") or f"the analysis was {answer['status']}"})
    positions = (
        Evaluation(one["ply"], tuple(one["values"]), one["bestMove"], one["samples"], one["source"])
        for one in answer["positions"]
    )
    return Analysis(tuple(positions), tuple(seat["accuracy"] for seat in answer["summary"]))


def refusal_of(status: int, body: bytes | bytearray | None) -> ServerError:
    """The error that an answer with an error's status stands for."""
    try:
        read = json.loads(body or b"")
    except ValueError:
        read = None
    return ServerError(status, read if isinstance(read, dict) else {})
