"""The bodies of requests and answers about tournaments. Times are milliseconds since the epoch."""

from typing import Annotated, Any, Literal

from pydantic import Field

from protocols.dialects import game_named
from server.domain.game import MOST_SEATS
from server.routes import common_models as models
from server.services.tournaments.tournament_checks import RequestedTournament

MOST_BOT_ID = 200

TournamentSystem = Literal["round-robin", "swiss", "gauntlet"]

TournamentStatusName = Literal["waiting", "running", "finished", "cancelled"]

BotId = Annotated[str, Field(min_length=1, max_length=MOST_BOT_ID)]


class NewTournamentBody(models.RequestBody):
    """A new tournament. Without ``startsAt``, its owner starts it. ``open``: anyone may enter, not only its owner.

    ``config``: members of the game's configuration, such as the size of the board. ``seats``: those of each game.
    ``gamesPerPair``: also those of each table of three seats or more in a round. ``rounds`` is for ``swiss``, and for
    the ``round-robin`` of tables.
    """

    name: models.Name
    game: str
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    system: TournamentSystem = "round-robin"
    seats: models.Whole = Field(default=2, ge=2, le=MOST_SEATS)
    games_per_pair: models.Whole = Field(default=2, ge=1, le=16)
    rounds: models.Whole | None = Field(default=None, ge=1, le=64)
    time_control: models.TimeControlBody | None = None
    tie_breaks: list[models.Name] | None = Field(default=None, max_length=8)
    starts_at: models.Whole | None = None
    open: models.Truth = True

    def requested(self) -> RequestedTournament:
        """The requested tournament."""
        return RequestedTournament(
            name=self.name,
            game=game_named(self.game),
            variant=self.variant,
            config=self.config,
            system=self.system,
            games_per_pair=self.games_per_pair,
            rounds=self.rounds,
            time_control=None if self.time_control is None else self.time_control.time_control(),
            tie_breaks=None if self.tie_breaks is None else tuple(self.tie_breaks),
            starts_at=self.starts_at,
            is_open=self.open,
            seats=self.seats,
        )


class NewEntryBody(models.RequestBody):
    """Who enters: a bot by its id, or a person by name."""

    bot: BotId | None = None
    name: models.Name | None = None


class TournamentEntryBody(models.Body):
    """A player. ``bot`` is null for people. ``gone``: the player has withdrawn since the start."""

    entry: int
    name: str
    bot: str | None = None
    gone: bool


class TournamentGameBody(models.Body):
    """A game. ``players`` by seat, as their entries' numbers. ``gameId`` is null if it was not created.

    ``points`` by seat, null while it is not over. ``reason``: that of the game's result, or ``absent``,
    ``unavailable`` or ``withdrawn`` for a forfeit.
    """

    players: list[int]
    status: Literal["due", "playing", "over"]
    game_id: str | None = None
    points: list[float] | None = None
    reason: str | None = None
    note: str | None = None


class TournamentRoundBody(models.Body):
    """A round. ``byes``: the players who play no game in it; ``bye``: the first of them."""

    games: list[TournamentGameBody]
    bye: int | None = None
    byes: list[int]


class TournamentPlaceBody(models.Body):
    """A line of the table. ``against``: the points against other players, by the numbers of their entries."""

    place: int
    entry: int
    points: float
    byes: int
    tie_breaks: dict[str, float]
    against: dict[str, float]


class YourEntryBody(models.Body):
    """What the token that was sent is for: the owner's, or an entry's, with the game that it is playing."""

    owner: bool
    entry: int | None = None
    game_id: str | None = None
    seat: int | None = None


class TournamentBody(models.Body):
    """A tournament. ``you`` is there if the request had its token; ``note`` if it was cancelled, and says why."""

    id: str
    name: str
    game: str
    variant: str
    config: dict[str, Any]
    system: TournamentSystem
    seats: int
    games_per_pair: int
    time_control: dict[str, Any]
    tie_breaks: list[str]
    starts_at: int | None = None
    open: bool
    status: TournamentStatusName
    note: str | None = None
    version: int
    created_at: int
    updated_at: int
    round: int
    rounds: int
    entrants: list[TournamentEntryBody]
    games: list[TournamentRoundBody]
    table: list[TournamentPlaceBody]
    you: YourEntryBody | None = None


class CreatedTournamentBody(TournamentBody):
    """A new tournament, and the token of its owner."""

    token: str


class EntryAddedBody(models.Body):
    """The number of an entry, and its token: whoever has it plays the entry's games, and can withdraw."""

    entry: int
    token: str


class ListedTournament(models.Body):
    """A tournament in a list."""

    id: str
    name: str
    game: str
    variant: str
    system: TournamentSystem
    status: TournamentStatusName
    entrants: int
    round: int
    rounds: int
    starts_at: int | None = None
    created_at: int


class TournamentList(models.Body):
    """A page of tournaments, newest first; ``cursor`` requests the next page."""

    tournaments: list[ListedTournament]
    cursor: str | None = None
