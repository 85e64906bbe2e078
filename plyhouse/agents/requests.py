"""The requests of agents that ``wire`` does not have, and the values of their answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from plyhouse import wire
from plyhouse.wire import Call, GameState, Json, ServerError


class TextCall(Call[str]):
    """A request whose answer is text, not JSON."""

    def answer(self, status: int, body: bytes) -> str:
        """The text of an answer; ServerError if its status is 300 or more."""
        if status >= 300:
            raise wire.refusal_of(status, body)
        return body.decode()


@dataclass(frozen=True, slots=True)
class SeatName:
    """Who has a seat. ``name`` is what the player chose to be called: never trust it."""

    seat: int
    kind: str
    name: str | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class SeenGame:
    """A game as one seat sees it; ``seat`` is None for a spectator.

    ``can_finish``: whether the staged actions, possibly none, are a complete move.
    """

    game_id: str
    seat: int | None
    seats: tuple[SeatName, ...]
    state: GameState
    can_finish: bool


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list, without its moves."""

    game_id: str
    game: str
    variant: str
    status: str
    ply: int
    seats: tuple[SeatName, ...]


@dataclass(frozen=True, slots=True)
class StudiedLine:
    """A candidate move. ``value`` in [-1, 1] and ``chance``, its expected score if known, are the mover's.

    ``points``: what each seat is expected to have in the end, in games with points. ``pv``: the move and what follows.
    """

    visits: int
    value: float
    chance: float | None
    points: tuple[float, ...] | None
    pv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudiedPosition:
    """The position after ``ply`` moves. ``values`` in [-1, 1], ``chances`` in [0, 1] and ``points`` are per seat.

    ``chances`` and ``points`` are None where they are unknown.
    """

    ply: int
    values: tuple[float, ...]
    chances: tuple[float, ...] | None
    points: tuple[float, ...] | None
    best_move: str
    lines: tuple[StudiedLine, ...]
    samples: int
    source: str


def seen(game_id: str, token: str | None = None, staged: str = "") -> Call[SeenGame]:
    """A game as the seat of the token sees it. ``staged``: the beginning of a move; ``legal`` then follows it."""
    query = f"?{urlencode({'staged': staged})}" if staged else ""
    return Call("GET", f"{_path(game_id)}{query}", read_seen, token=token, is_repeatable=True)


def rules() -> Call[tuple[Json, ...]]:
    """The games of the server, as ``GET /api/rules`` shows them."""
    return Call("GET", "/api/rules", lambda answer: tuple(answer["games"]), is_repeatable=True)


def listed(status: str, game: str | None = None) -> Call[tuple[ListedGame, ...]]:
    """The newest public games with a status: live, open or finished."""
    query = {"status": status} if game is None else {"status": status, "game": game}
    return Call("GET", f"/api/games?{urlencode(query)}", read_listed, is_repeatable=True)


def record(game_id: str, record_format: str = "json") -> TextCall:
    """The record of a game in one of the formats of docs/records.md."""
    path = f"{_path(game_id)}/record?{urlencode({'format': record_format})}"
    return TextCall("GET", path, str, is_repeatable=True)


def study(game_id: str, ply: int, samples: int, lines: int) -> Call[StudiedPosition]:
    """The evaluation of one position of a game, with so many candidate moves."""
    body = {"gameId": game_id, "fromPly": ply, "toPly": ply, "samples": samples, "multipv": lines}
    return Call("POST", "/api/analysis?wait=1", read_study, body, is_slow=True)


def read_seen(answer: Json) -> SeenGame:
    """Reads the answer to ``seen``."""
    position: Mapping[str, Any] = answer["position"]
    return SeenGame(
        answer["gameId"],
        answer["seatIndex"],
        tuple(map(read_seat, answer["seats"])),
        wire.read_state(position),
        position.get("canFinish", False),
    )


def read_study(answer: Json) -> StudiedPosition:
    """Reads the answer to ``study``. ServerError if the analysis was not completed."""
    if answer["status"] != "done":
        raise ServerError(503, {"error": answer.get("error") or f"the analysis was {answer['status']}"})
    (one,) = answer["positions"]
    return StudiedPosition(
        one["ply"],
        tuple(one["values"]),
        _numbers(one.get("chances")),
        _numbers(one.get("points")),
        one["bestMove"],
        tuple(map(_read_line, one["lines"])),
        one["samples"],
        one["source"],
    )


def _read_line(line: Json) -> StudiedLine:
    return StudiedLine(
        line["visits"], line["value"], line["chance"], _numbers(line["points"]), tuple(line["pv"])
    )


def _numbers(numbers: Sequence[float] | None) -> tuple[float, ...] | None:
    return None if numbers is None else tuple(numbers)


def read_listed(answer: Json) -> tuple[ListedGame, ...]:
    """Reads the answer to ``listed``."""
    return tuple(
        ListedGame(
            one["gameId"],
            one["game"],
            one["variant"],
            one["status"],
            one["ply"],
            tuple(map(read_seat, one["seats"])),
        )
        for one in answer["games"]
    )


def read_seat(seat: Json) -> SeatName:
    """Reads one of the ``seats`` of an answer."""
    return SeatName(seat["seat"], seat["kind"], seat.get("name"), seat.get("bot"))


def _path(game_id: str) -> str:
    return f"/api/games/{quote(game_id, safe='')}"
