"""The answers about tournaments, as JSON values."""

from typing import Any

from engines.cross_table import cross_table_csv, cross_table_text
from engines.tournament_table import Row
from protocols.table_json import control_json
from server.domain.tokens import hash_token
from server.domain.tournaments.standings import meetings_of, standings
from server.domain.tournaments.state import TournamentGame, TournamentRound, TournamentState
from server.ports.tournaments import TournamentListing

Json = dict[str, Any]

_FORMULA = ("=", "+", "-", "@")
"""A cell that begins with one of these is a formula to spreadsheets."""


def tournament_json(state: TournamentState) -> Json:
    """A tournament, as everybody may see it. May take long."""
    settings, meetings = state.settings, meetings_of(state)
    entries = [one.entry for one in state.entrants]
    against: dict[int, dict[str, float]] = {}
    for meeting in meetings:
        for player in meeting.players:
            other = str(entries[meeting.opponent(player)])
            own = against.setdefault(player, {})
            own[other] = own.get(other, 0.0) + meeting.of(player)
    return {
        "id": state.id,
        "name": settings.name,
        "game": settings.game,
        "variant": settings.variant,
        "config": dict(settings.config),
        "system": settings.system,
        "seats": settings.seats,
        "gamesPerPair": settings.games_per_pair,
        "timeControl": control_json(settings.time_control),
        "tieBreaks": list(settings.tie_breaks),
        "startsAt": settings.starts_at,
        "open": settings.is_open,
        "status": state.status.value,
        "note": state.note,
        "version": state.version,
        "createdAt": state.created_at,
        "updatedAt": state.updated_at,
        "round": len(state.rounds),
        "rounds": state.last_round,
        "entrants": [
            {"entry": one.entry, "name": one.name, "bot": one.bot_id, "gone": one.is_gone}
            for one in state.entrants
        ],
        "games": [_round_json(one, entries) for one in state.rounds],
        "table": [_row_json(row, entries, against.get(row.player, {})) for row in standings(state)],
    }


def your_json(state: TournamentState, token: str) -> Json | None:
    """What a token is for; None if it is none of the tournament's."""
    digest = hash_token(token)
    if digest == state.owner:
        return {"owner": True}
    player = state.player_of(digest)
    if player is None:
        return None
    you: Json = {"owner": False, "entry": state.entrants[player].entry}
    game = state.game_of(player)
    if game is None:
        return you
    return {**you, "gameId": game.plan.game_id, "seat": game.plan.seats.index(player)}


def listed_json(row: TournamentListing) -> Json:
    """A tournament in a list."""
    return {"id": row.tournament_id, "createdAt": row.created_at, **row.summary}


def table_csv(state: TournamentState) -> str:
    """The cross table as CSV. No name is a formula to a spreadsheet."""
    names = ["'" + name if name.startswith(_FORMULA) else name for name in _names(state)]
    return cross_table_csv("player", names, standings(state), meetings_of(state), state.settings.tie_breaks)


def table_text(state: TournamentState) -> str:
    """The cross table for people."""
    return cross_table_text(_names(state), standings(state), meetings_of(state))


def _names(state: TournamentState) -> list[str]:
    return [one.name for one in state.entrants]


def _round_json(one: TournamentRound, entries: list[int]) -> Json:
    byes = [entries[player] for player in one.round.byes]
    return {
        "games": [_game_json(game, entries) for game in one.games],
        "bye": next(iter(byes), None),
        "byes": byes,
    }


def _game_json(game: TournamentGame, entries: list[int]) -> Json:
    """Ids of games that were not created are not shown."""
    return {
        "players": [entries[player] for player in game.plan.seats],
        "status": game.phase.value,
        "gameId": None if game.opening_plies is None else game.plan.game_id,
        "points": None if game.points is None else list(game.points),
        "reason": game.reason,
        "note": game.note,
    }


def _row_json(row: Row, entries: list[int], against: dict[str, float]) -> Json:
    return {
        "place": row.place,
        "entry": entries[row.player],
        "points": row.points,
        "byes": row.byes,
        "tieBreaks": dict(row.tie_breaks),
        "against": against,
    }
