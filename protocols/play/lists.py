"""The lists of games: what is kept of a game for them, and the entries of the Wallwars site's lists.

The kept summary is JSON, so that no list has to read the moves of a game. Entries are the site's own; those of
``extended`` have the members of our other answers too, for games of any kind. Called by the server for HTTP
answers, and by ``lobby`` for frames.
"""

from collections.abc import Mapping
from typing import Any

from protocols.jsontext import JsonDict
from protocols.play import site
from protocols.play.position import result_json, seats_json
from protocols.play.table import Control, Listed, Match, Player, Result

UNRATED_ELO = 1500
"""What the site takes for the rating of players who have none."""


# ---- the summary that is kept --------------------------------------------------------------------


def summary_json(match: Match) -> JsonDict:
    """What is kept of a game beside its id, game, variant, status, ply, and when it was created and changed."""
    optional = {
        "result": None if match.result is None else result_json(match.result),
        "timeControl": None if match.control is None else site.control_json(match.control),
    }
    return {
        "seats": [{**seat, **_look(match.players[seat["seat"]])} for seat in seats_json(match)],
        "host": match.host,
        "matchType": match.match_type,
        "config": {name: match.config[name] for name in site.BOARD if name in match.config},
        "lastMoveAt": match.last_move_at,
        "assistance": match.assistance,
        **{name: value for name, value in optional.items() if value is not None},
    }


def _look(player: Player) -> JsonDict:
    return {} if player.appearance is None else {"appearance": dict(player.appearance)}


def read_summary(summary: Mapping[str, Any], **columns: Any) -> Listed:  # noqa: ANN401 - the other members of Listed
    """The game of a summary, with the members that are kept beside it."""
    return Listed(
        config=summary["config"],
        players=tuple(_read_seat(seat) for seat in summary["seats"]),
        host=summary["host"],
        match_type=summary["matchType"],
        last_move_at=summary["lastMoveAt"],
        result=_read_result(summary.get("result")),
        control=_read_control(summary.get("timeControl")),
        assistance=summary.get("assistance", "open"),
        **columns,
    )


def _read_seat(seat: Mapping[str, Any]) -> Player:
    return Player(seat["kind"], seat.get("name"), seat.get("bot"), seat.get("appearance"), seat.get("via"))


def _read_result(result: Mapping[str, Any] | None) -> Result | None:
    if result is None:
        return None
    scores = None if result.get("scores") is None else tuple(result["scores"])
    return Result(tuple(result["winners"]), result["reason"], scores, result.get("note"))


def _read_control(control: Mapping[str, Any] | None) -> Control | None:
    if control is None:
        return None
    return Control(control["initialSeconds"], control["incrementSeconds"], control.get("preset"))


# ---- entries -------------------------------------------------------------------------------------


def live_json(game: Listed, spectators: int) -> JsonDict:
    """A game in the list of those being played. ``averageElo`` is the site's for players without a rating."""
    return {
        "id": game.game_id,
        **site.config_json(game),
        "players": [
            {
                "playerId": seat + 1,
                "displayName": site.display_name(seat, player),
                "role": site.role(game, seat),
            }
            for seat, player in enumerate(game.players)
        ],
        "status": site.match_status(game),
        "moveCount": game.ply,
        "averageElo": UNRATED_ELO,
        "lastMoveAt": game.last_move_at,
        "spectatorCount": spectators,
    }


def past_json(game: Listed) -> JsonDict:
    """A finished game. Views are not counted."""
    control = game.control
    return {
        "gameId": game.game_id,
        "variant": game.variant,
        "rated": False,
        "timeControl": "custom" if control is None else control.preset or "custom",
        **game.config,
        "movesCount": game.ply,
        "startedAt": game.created_at,
        "views": 0,
        "players": [_outcome(game, seat, player) for seat, player in enumerate(game.players)],
    }


def _outcome(game: Listed, seat: int, player: Player) -> JsonDict:
    """Winners have rank 1, everybody else 2; where nobody has won, everybody has rank 1."""
    winners, reason = ((), "") if game.result is None else (game.result.winners, game.result.reason)
    return {
        "playerOrder": seat + 1,
        "displayName": site.display_name(seat, player),
        "ratingAtStart": None,
        "outcomeRank": 1 if not winners or seat in winners else 2,
        "outcomeReason": reason,
    }


def is_shown(game: Listed, *, with_extensions: bool) -> bool:
    """Whether a list shows the game: one for clients with extensions, or one for the Wallwars site's clients."""
    if with_extensions:
        return game.visibility == "public"
    return game.game == site.GAME and game.visibility != "unlisted"


def extended(entry: JsonDict, game: Listed) -> JsonDict:
    """The entry with the members of our other answers."""
    return {
        **entry,
        "game": game.game,
        "variant": game.variant,
        "seats": seats_json(game),
        "assistance": game.assistance,
    }
