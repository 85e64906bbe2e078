"""The state of one tournament, which the fold of its events computes."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from engines.pairings import Round
from engines.tournament_table import Meeting, meetings_at
from server.domain.tournaments import events as e


class TournamentStatus(StrEnum):
    """Whether a tournament waits for its start, is being played, or is over."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class GamePhase(StrEnum):
    """Whether a game of a tournament is still to be created, is being played, or is over."""

    DUE = "due"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class TournamentEntrant:
    """A player of a tournament; a person has no ``bot_id``. ``entry`` is its number, from 1.

    ``is_owned`` as in ``PlayerEntered``.
    """

    entry: int
    name: str
    digest: str
    bot_id: str | None = None
    is_owned: bool = False
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A game of a round. ``points`` by seat, once it is over. ``opening_plies``: None if it was not created."""

    plan: e.PlannedGame
    phase: GamePhase = GamePhase.DUE
    opening_plies: int | None = None
    points: tuple[float, ...] | None = None
    reason: str | None = None
    note: str | None = None

    def points_of(self, player: int) -> float:
        """The points of one of its players; 0 before it is over."""
        return 0.0 if self.points is None else self.points[self.plan.seats.index(player)]


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """A round with its games, those of each table one after the other. A ``PastRound`` once it is over."""

    round: Round
    games: tuple[TournamentGame, ...]

    @property
    def is_over(self) -> bool:
        """Whether all its games are."""
        return all(game.phase is GamePhase.OVER for game in self.games)

    def games_of(self, table: int) -> tuple[TournamentGame, ...]:
        """The games of the table with this number."""
        each = len(self.games) // len(self.round.tables)
        return self.games[table * each : (table + 1) * each]

    def meetings(self) -> list[Meeting]:
        """The points of each two at a table, as far as its games are over; without tables at which none is."""
        found: list[Meeting] = []
        for number, players in enumerate(self.round.tables):
            over = [game for game in self.games_of(number) if game.phase is GamePhase.OVER]
            if over:
                found += meetings_at(players, ([game.points_of(one) for one in players] for game in over))
        return found

    def seatings(self) -> list[tuple[int, ...]]:
        """The players of each game by seat."""
        return [game.plan.seats for game in self.games]


@dataclass(frozen=True, slots=True)
class RecordedTournamentEvent:
    """An event with its number, from 1 within the tournament, and its time."""

    seq: int
    at_ms: int
    event: e.TournamentEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentState:
    """One tournament after ``version`` events. ``note``: why it was cancelled. ``entries``: how many have entered."""

    id: str
    version: int
    created_at: int
    updated_at: int
    settings: e.TournamentSettings
    owner: str
    status: TournamentStatus = TournamentStatus.WAITING
    entries: int = 0
    entrants: tuple[TournamentEntrant, ...] = ()
    rounds: tuple[TournamentRound, ...] = ()
    note: str | None = None

    @property
    def is_live(self) -> bool:
        """Whether it waits or is being played."""
        return self.status in (TournamentStatus.WAITING, TournamentStatus.RUNNING)

    @property
    def last_round(self) -> int:
        """The number of rounds that it has, or would have if it started now."""
        settings = self.settings
        return settings.pairing.rounds(max(settings.seats, len(self.entrants)), settings.rounds)

    @property
    def gone(self) -> frozenset[int]:
        """The players who have withdrawn after the start."""
        return frozenset(player for player, entrant in enumerate(self.entrants) if entrant.is_gone)

    def bots_of(self, game: TournamentGame) -> list[str]:
        """The ids of the bots that play a game."""
        ids = (self.entrants[player].bot_id for player in game.plan.seats)
        return [bot_id for bot_id in ids if bot_id is not None]

    def player_of(self, digest: str) -> int | None:
        """The player whose entry's token has this hash."""
        found = (player for player, one in enumerate(self.entrants) if one.digest == digest)
        return next(found, None)

    def player_with(self, entry: int) -> int | None:
        """The player with this number."""
        found = (player for player, one in enumerate(self.entrants) if one.entry == entry)
        return next(found, None)

    def game_of(self, player: int) -> TournamentGame | None:
        """The game that a player is playing."""
        games = self.rounds[-1].games if self.rounds else ()
        playing = (game for game in games if game.phase is GamePhase.PLAYING)
        return next((game for game in playing if player in game.plan.seats), None)


def fold_tournament(
    tournament_id: str, state: TournamentState | None, recorded: Iterable[RecordedTournamentEvent]
) -> TournamentState | None:
    """Returns the state after further events. None if there have been none."""
    for one in recorded:
        if isinstance(one.event, e.TournamentCreated):
            state = _created(tournament_id, one.event, one.at_ms)
        elif state is None:
            raise ValueError("the first event of a tournament creates it")
        else:
            state = replace(_changed(state, one.event), version=one.seq, updated_at=one.at_ms)
    return state


def forfeited_games(
    state: TournamentState, events: Iterable[e.TournamentEvent]
) -> tuple[tuple[int, int], ...]:
    """The games, by round and number in it, that are lost by forfeit with these events and are not played."""
    scored = (one for one in events if isinstance(one, e.GameScored))
    due = (one for one in scored if state.rounds[one.round].games[one.number].phase is GamePhase.DUE)
    return tuple((one.round, one.number) for one in due)


def _created(tournament_id: str, event: e.TournamentCreated, at: int) -> TournamentState:
    return TournamentState(
        id=tournament_id, version=1, created_at=at, updated_at=at, settings=event.settings, owner=event.owner
    )


def _changed(state: TournamentState, event: e.TournamentEvent) -> TournamentState:
    match event:
        case e.PlayerEntered():
            entry = state.entries + 1
            entrant = TournamentEntrant(entry, event.name, event.digest, event.bot_id, event.is_owned)
            return replace(state, entries=entry, entrants=(*state.entrants, entrant))
        case e.PlayerWithdrew():
            return replace(state, entrants=_without(state, event.entry))
        case e.TournamentStarted():
            return replace(state, status=TournamentStatus.RUNNING)
        case e.RoundPaired():
            games = tuple(map(TournamentGame, event.games))
            byes = event.byes if event.bye is None else (event.bye,)
            paired = TournamentRound(Round(event.pairs, byes), games)
            return replace(state, rounds=(*state.rounds, paired))
        case e.GameBegun():
            game = state.rounds[event.round].games[event.number]
            begun = replace(game, phase=GamePhase.PLAYING, opening_plies=event.opening_plies)
            return _with_game(state, event.round, event.number, begun)
        case e.GameScored():
            game = state.rounds[event.round].games[event.number]
            over = replace(
                game, phase=GamePhase.OVER, points=event.points, reason=event.reason, note=event.note
            )
            return _with_game(state, event.round, event.number, over)
        case _:
            return _ended(state, event)


def _ended(state: TournamentState, event: e.TournamentEvent) -> TournamentState:
    match event:
        case e.TournamentFinished():
            return replace(state, status=TournamentStatus.FINISHED)
        case e.TournamentCancelled(why=why):
            return replace(state, status=TournamentStatus.CANCELLED, note=why)
        case _:
            raise ValueError(f"{type(event).__name__} cannot follow in a tournament")


def _without(state: TournamentState, entry: int) -> tuple[TournamentEntrant, ...]:
    """The entrants without one; after the start, it keeps its place."""
    if state.status is TournamentStatus.WAITING:
        return tuple(one for one in state.entrants if one.entry != entry)
    return tuple(replace(one, is_gone=True) if one.entry == entry else one for one in state.entrants)


def _with_game(state: TournamentState, number: int, place: int, game: TournamentGame) -> TournamentState:
    one = state.rounds[number]
    games = (*one.games[:place], game, *one.games[place + 1 :])
    changed = replace(one, games=games)
    return replace(state, rounds=(*state.rounds[:number], changed, *state.rounds[number + 1 :]))
