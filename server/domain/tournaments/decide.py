"""Decides which events a request or the course of a tournament causes, or why a request is refused. Pure."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from engines.pairings import NoPairing
from server.domain.errors import ApiError, Code
from server.domain.tournaments import events as e
from server.domain.tournaments.state import GamePhase, TournamentState, TournamentStatus

MOST_ENTRANTS: Final = 64

MOST_ENTRIES: Final = 512
"""The most entries of one tournament, with those that were withdrawn before it started."""

MOST_GAMES: Final = 2048
"""The most games of one tournament."""

FEWEST: Final = {2: "two", 3: "three", 4: "four", 5: "five"}
"""How many entrants a tournament needs, by the seats of its games."""

WITHDRAWN: Final = "withdrawn"
"""The reason of a game that was not played because a player had withdrawn."""

Events = tuple[e.TournamentEvent, ...]


@dataclass(frozen=True, slots=True)
class Lots:
    """What pairing a round draws: the id of a game, and an opening.

    ``is_shared``: as many games in a row as there are seats have one opening; otherwise, whoever remembers the first
    would know too much.
    """

    new_id: Callable[[], str]
    opening: Callable[[], int]
    is_shared: bool


def enter(state: TournamentState, entered: e.PlayerEntered) -> Events:
    """A player enters; ApiError if that is impossible. A bot whose name is taken is told apart by its id."""
    _check_waiting(state)
    name, bot_id = entered.name, entered.bot_id
    is_taken = any(one.name.casefold() == name.casefold() for one in state.entrants)
    if bot_id is not None and any(one.bot_id == bot_id for one in state.entrants):
        raise ApiError(Code.SEAT_TAKEN, f"The bot {bot_id!r} has already entered.", field="bot")
    if is_taken and bot_id is None:
        raise ApiError(Code.SEAT_TAKEN, f"{name} has already entered.", field="name")
    _check_room(state)
    return (replace(entered, name=f"{name} ({bot_id})") if is_taken else entered,)


def _check_room(state: TournamentState) -> None:
    if len(state.entrants) >= MOST_ENTRANTS:
        text = f"A tournament has at most {MOST_ENTRANTS} entrants."
        raise ApiError(Code.OVER_LIMIT, text, limit=MOST_ENTRANTS)
    if state.entries >= MOST_ENTRIES:
        text = f"There have been {MOST_ENTRIES} entries already."
        raise ApiError(Code.OVER_LIMIT, text, limit=MOST_ENTRIES)
    if games_with(state, len(state.entrants) + 1) > MOST_GAMES:
        text = f"With another entrant, the tournament would have more than {MOST_GAMES} games."
        raise ApiError(Code.OVER_LIMIT, text, limit=MOST_GAMES)


def games_with(state: TournamentState, players: int) -> int:
    """How many games the tournament has with so many players."""
    settings = state.settings
    return settings.pairing.games_with(players, settings.rounds)


def withdraw(state: TournamentState, player: int) -> Events:
    """A player leaves: later games are lost by forfeit. Nothing happens if it has left already."""
    if not state.is_live:
        raise ApiError(Code.FINISHED, "The tournament is over.")
    entrant = state.entrants[player]
    return () if entrant.is_gone else (e.PlayerWithdrew(entrant.entry),)


def start(state: TournamentState) -> Events:
    """The tournament starts; ApiError if that is impossible."""
    _check_waiting(state)
    if len(state.entrants) < state.settings.seats:
        text = f"A tournament needs {FEWEST[state.settings.seats]} entrants at least."
        raise ApiError(Code.NOT_STARTED, text)
    return (e.TournamentStarted(),)


def cancel(state: TournamentState, why: str) -> Events:
    """The tournament ends before it is finished. No effect if it was cancelled already."""
    if state.status is TournamentStatus.FINISHED:
        raise ApiError(Code.FINISHED, "The tournament is over.")
    return () if state.status is TournamentStatus.CANCELLED else (e.TournamentCancelled(why),)


def start_when_due(state: TournamentState, now: int, most_wait: int) -> Events:
    """What happens to a tournament that waits: it starts at its time, or is cancelled ``most_wait`` ms after that.

    One that its owner is to start is cancelled so long after its creation.
    """
    if state.status is not TournamentStatus.WAITING:
        return ()
    due = state.settings.starts_at
    if due is not None and now >= due:
        seats = state.settings.seats
        if len(state.entrants) < seats:
            return cancel(state, f"fewer than {FEWEST[seats]} players had entered")
        return (e.TournamentStarted(),)
    if due is None and now >= state.created_at + most_wait:
        return cancel(state, "its owner did not start it")
    return ()


def advance(state: TournamentState, lots: Lots) -> Events:
    """What follows without anybody doing anything: forfeits, the next round, or the end of the tournament."""
    if state.status is not TournamentStatus.RUNNING:
        return ()
    if state.rounds and not state.rounds[-1].is_over:
        return tuple(_forfeits(state))
    if len(state.rounds) >= state.last_round:
        return (e.TournamentFinished(),)
    settings = state.settings
    try:
        paired = settings.pairing.next_round(len(state.entrants), state.rounds, state.gone)
    except NoPairing:  # Too many have withdrawn.
        return (e.TournamentFinished(),)
    games = [game for table in paired.tables for game in _games(table, settings.games_per_pair, lots)]
    return (e.RoundPaired(paired.tables, tuple(games), byes=paired.byes),)


def still_open(state: TournamentState, found: Iterable[e.GameBegun | e.GameScored]) -> Events:
    """Those of these events that have not happened yet: a game begins once, and ends once."""
    phases = {e.GameBegun: (GamePhase.DUE,), e.GameScored: (GamePhase.DUE, GamePhase.PLAYING)}
    if state.status is not TournamentStatus.RUNNING:
        return ()
    return tuple(one for one in found if state.rounds[one.round].games[one.number].phase in phases[type(one)])


def forfeit(
    state: TournamentState, number: int, absent: frozenset[int], reason: str, note: str | None = None
) -> e.GameScored:
    """The result of a game of the current round that is not played, as at most one of its players does not forfeit."""
    seats = state.rounds[-1].games[number].plan.seats
    points = tuple(float(player not in absent) for player in seats)
    return e.GameScored(len(state.rounds) - 1, number, points, reason, note)


def _forfeits(state: TournamentState) -> Iterator[e.GameScored]:
    """The games of the current round that will not be played because players have withdrawn: one is left at most."""
    for number, game in enumerate(state.rounds[-1].games):
        absent = state.gone.intersection(game.plan.seats)
        if game.phase is GamePhase.DUE and len(game.plan.seats) - len(absent) < 2:
            yield forfeit(state, number, absent, WITHDRAWN)


def _games(table: tuple[int, ...], count: int, lots: Lots) -> Iterator[e.PlannedGame]:
    """Of as many games in a row as there are seats, each player has each seat in one."""
    opening = 0
    for number in range(count):
        turn = number % len(table)
        if turn == 0 or not lots.is_shared:
            opening = lots.opening()
        yield e.PlannedGame(lots.new_id(), (*table[turn:], *table[:turn]), opening)


def _check_waiting(state: TournamentState) -> None:
    if not state.is_live:
        raise ApiError(Code.FINISHED, "The tournament is over.")
    if state.status is not TournamentStatus.WAITING:
        raise ApiError(Code.STARTED, "The tournament has started.")
