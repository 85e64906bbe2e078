"""The bodies of the calls for puzzles."""

from typing import Any

from pydantic import Field

from server.routes.common_models import Body


class PuzzleBody(Body):
    """A position in which ``seat`` has one best move.

    ``moves``: those that lead to the position, as recorded. ``solution``: the moves of the seat, and after each but the
    last the answer of the other one. ``rival``: the best of all other first moves; ``gap``: how much worse it is, in
    loss units of the game. ``share``: the seat's expected score after the best one, from 0 to 1. ``tail``: what follows
    a move in the record, where moves reveal what nobody knew; one of the possible ways.
    """

    id: str
    game: str
    variant: str
    config: dict[str, Any]
    moves: list[str]
    seat: int
    difficulty: str
    themes: list[str]
    solution: list[str]
    rival: str
    gap: float
    share: float
    tail: str


class PuzzlePage(Body):
    """Puzzles; ``count``: of all that fit. ``cursor`` requests the next page."""

    puzzles: list[PuzzleBody]
    count: int
    cursor: str | None = None


class ThemeBody(Body):
    """A theme with what players read, and its number of puzzles."""

    theme: str
    title: str
    count: int


class PuzzleGameBody(Body):
    """The puzzles of a game: their number by variant and by difficulty, the easiest first, and the themes."""

    game: str
    count: int
    variants: dict[str, int]
    difficulties: dict[str, int] = Field(description="Easiest first.")
    themes: list[ThemeBody]


class PuzzleGames(Body):
    """The games that have puzzles."""

    games: list[PuzzleGameBody]
