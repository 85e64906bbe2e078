"""The lists of games: the summary that is stored of each game, and the entries made from it.

The summary is JSON, so that a list need not read the moves of its games. Entries have the members that clients of games
with a dialect expect; those of ``extended`` also have the members of our other answers. Called by the server
for HTTP answers, and by ``lobby`` for frames.
"""

from collections.abc import Mapping
from typing import Any

from protocols.dialects import dialect_of
from protocols.jsontext import JsonDict
from protocols.play.position import seats_json
from protocols.table_json import (
    BOARD,
    config_json,
    control_json,
    display_name,
    match_status,
    result_json,
    role,
)
from protocols.values import (
    Assistance,
    LadderGame,
    Listed,
    Match,
    Result,
    Seat,
    SeatKind,
    TimeControl,
    Visibility,
)

UNRATED_ELO = 1500
"""The rating shown for players who have none."""


# ---- the stored summary --------------------------------------------------------------------------


def summary_json(match: Match) -> JsonDict:
    """The stored summary. Id, name, variant, status, ply, and times of creation and last change are not in it."""
    optional = {
        "result": None if match.result is None else result_json(match.result),
        "timeControl": None if match.time_control is None else control_json(match.time_control),
        "ladder": None if match.ladder is None else _ladder_json(match.ladder),
    }
    return {
        "seats": [{**seat, **_look(match.seats[seat["seat"]])} for seat in seats_json(match)],
        "host": match.host,
        "matchType": match.match_type,
        "config": {name: match.config[name] for name in BOARD if name in match.config},
        "lastMoveAt": match.last_move_at,
        "assistance": match.assistance.value,
        **{name: value for name, value in optional.items() if value is not None},
    }


def _look(seat: Seat) -> JsonDict:
    return {} if seat.appearance is None else {"appearance": dict(seat.appearance)}


def read_summary(summary: Mapping[str, Any], **columns: Any) -> Listed:  # noqa: ANN401 - the other members of Listed
    """The game described by a summary and by the ``columns`` stored next to it."""
    return Listed(
        config=summary["config"],
        seats=tuple(_read_seat(seat) for seat in summary["seats"]),
        host=summary["host"],
        match_type=summary["matchType"],
        last_move_at=summary["lastMoveAt"],
        result=_read_result(summary.get("result")),
        time_control=_read_control(summary.get("timeControl")),
        assistance=Assistance(summary.get("assistance", Assistance.OPEN)),
        ladder=_read_ladder(summary.get("ladder")),
        **columns,
    )


def _read_seat(seat: Mapping[str, Any]) -> Seat:
    return Seat(
        SeatKind(seat["kind"]),
        seat.get("name"),
        seat.get("bot"),
        seat.get("appearance"),
        missed_by="" if "via" in seat else None,
    )


def _ladder_json(ladder: LadderGame) -> JsonDict:
    return {
        "players": list(ladder.players),
        "names": list(ladder.names),
        "opening": ladder.opening,
        "openingPlies": ladder.opening_plies,
    }


def _read_ladder(ladder: Mapping[str, Any] | None) -> LadderGame | None:
    if ladder is None:
        return None
    return LadderGame(
        tuple(ladder["players"]), tuple(ladder["names"]), ladder["opening"], ladder["openingPlies"]
    )


def _read_result(result: Mapping[str, Any] | None) -> Result | None:
    if result is None:
        return None
    scores = None if result.get("scores") is None else tuple(result["scores"])
    return Result(tuple(result["winners"]), result["reason"], scores, result.get("note"))


def _read_control(control: Mapping[str, Any] | None) -> TimeControl | None:
    if control is None:
        return None
    return TimeControl(
        control["initialSeconds"],
        control["incrementSeconds"],
        control.get("preset"),
        move_ms=control.get("moveMs"),
        preprocessing_ms=control.get("preprocessingMs"),
    )


# ---- entries -------------------------------------------------------------------------------------


def live_json(game: Listed, spectators: int) -> JsonDict:
    """An entry of the list of live games. No player has a rating."""
    return {
        "id": game.game_id,
        **config_json(game),
        "players": [
            {
                "playerId": index + 1,
                "displayName": display_name(index, seat),
                "role": role(game, index),
            }
            for index, seat in enumerate(game.seats)
        ],
        "status": match_status(game),
        "moveCount": game.ply,
        "averageElo": UNRATED_ELO,
        "lastMoveAt": game.last_move_at,
        "spectatorCount": spectators,
    }


def past_json(game: Listed) -> JsonDict:
    """An entry of the list of finished games. Views are not counted."""
    control = game.time_control
    return {
        "gameId": game.game_id,
        "variant": game.variant,
        "rated": game.is_rated,
        "timeControl": "custom" if control is None else control.preset or "custom",
        **game.config,
        "movesCount": game.ply,
        "startedAt": game.created_at,
        "views": 0,
        "players": [_outcome(game, index, seat) for index, seat in enumerate(game.seats)],
    }


def _outcome(game: Listed, index: int, seat: Seat) -> JsonDict:
    """A player's result: winners have rank 1 and everybody else 2; in a draw, everybody has rank 1."""
    winners, reason = ((), "") if game.result is None else (game.result.winners, game.result.reason)
    return {
        "playerOrder": index + 1,
        "displayName": display_name(index, seat),
        "ratingAtStart": None,
        "outcomeRank": 1 if not winners or index in winners else 2,
        "outcomeReason": reason,
    }


def is_shown(game: Listed, *, with_extensions: bool) -> bool:
    """Whether a list shows the game: the list for clients with extensions, or the one for clients with a dialect."""
    if with_extensions:
        return game.visibility is Visibility.PUBLIC
    return game.visibility is not Visibility.UNLISTED and dialect_of(game.game) is not None


def extended(entry: JsonDict, game: Listed) -> JsonDict:
    """The entry together with the members of our other answers."""
    return {
        **entry,
        "game": game.game,
        "variant": game.variant,
        "seats": seats_json(game),
        "assistance": game.assistance.value,
    }
