"""The bodies of the opening explorer's requests and answers."""

from typing import Any, Literal

from pydantic import Field, model_validator

from server.routes import common_models as models

MOST_WHO = 200
"""The longest id of a bot that can be asked for."""

Source = Literal["server", "engine"]


class ExplorerRequest(models.RequestBody):
    """A position, by its start and moves. ``by``: ``people``, ``bots``, a level or the id of a bot."""

    game: str
    variant: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    moves: list[str] = Field(default_factory=list)
    source: Source = "server"
    by: str | None = Field(default=None, min_length=1, max_length=MOST_WHO)

    @model_validator(mode="after")
    def _is_of_server(self) -> "ExplorerRequest":
        if self.by is not None and self.source != "server":
            raise ValueError("Only with source=server, by has an effect.")
        return self


class TallyBody(models.Body):
    """The results of some games. ``wins`` of each seat; a shared first place counts for each seat that shares it.

    ``points``: each seat's mean, in games that ended with points; null if there are none.
    """

    games: int
    draws: int
    wins: list[int]
    points: list[float] | None


class ExploredMoveBody(TallyBody):
    """A move with the results of the games in which it was played. ``gameId``: the latest, if it still exists."""

    move: str
    game_id: str | None


class MadeBody(models.Body):
    """How the games of self-play were played: by this level, with so many samples and such errors of each search."""

    level: str
    samples: int
    noise: float
    games: int


class ExplorerAnswer(TallyBody):
    """What was played from a position: the results of all games that reached it, and the moves of most games.

    ``depth``: only the first so many moves of a game count. ``latest``: the latest games of the moves that still exist.
    ``made``: how the games of self-play were played, if there are any of the variant.
    """

    source: Source
    by: str | None
    ply: int
    depth: int
    moves: list[ExploredMoveBody]
    latest: list[models.ListedGame]
    made: MadeBody | None
