"""``/api/puzzles``: the puzzles that come with the server. They are read once; nothing is searched.

Answers contain the solution: there is nothing to win by solving a puzzle.
"""

from asyncio import to_thread
from random import SystemRandom
from typing import Annotated, Any, Final, Literal

from fastapi import Path, Query

from engines import games
from engines.near_names import known_names
from engines.puzzles.difficulty import Difficulty
from engines.puzzles.library import (
    PuzzleCollection,
    PuzzleFilter,
    drawn,
    page_after,
    puzzles_by_id,
    shipped_puzzles,
)
from engines.puzzles.puzzle import ID_LENGTH, Puzzle
from engines.puzzles.themes import titles_of
from server.domain.errors import ApiError, Code, unknown_game
from server.routes import common_models as models
from server.routes.api_router import api_router
from server.routes.puzzles import bodies

router = api_router("/api/puzzles", "puzzles")

MOST: Final = 50
"""Puzzles on a page."""

USUAL: Final = 10

MOST_NAME: Final = 100
"""Characters of a name in a query."""

Name = Annotated[str | None, Query(max_length=MOST_NAME)]
PuzzleId = Annotated[str, Path(max_length=ID_LENGTH, pattern="^[0-9a-f]+$")]


@router.get("", response_model=bodies.PuzzlePage, response_model_exclude_unset=True)
async def listed(
    game: Annotated[str, Query(max_length=MOST_NAME)],
    variant: Annotated[models.VariantName | None, Query(max_length=MOST_NAME)] = None,
    theme: Name = None,
    difficulty: Annotated[Difficulty | None, Query()] = None,
    order: Annotated[Literal["id", "random"], Query()] = "id",
    page_size: Annotated[int, Query(alias="pageSize", ge=1, le=MOST)] = USUAL,
    cursor: Annotated[str | None, Query(max_length=ID_LENGTH, pattern="^[0-9a-f]+$")] = None,
) -> Any:  # noqa: ANN401 - checked by the model
    """Lists puzzles of a game a page at a time, or some drawn at random, which no cursor follows."""
    collection = await to_thread(_collection, game)
    _check_names(collection.game, variant, theme)
    fitting = collection.fitting(PuzzleFilter(variant, theme, difficulty))
    if order == "random":
        page, rest = drawn(fitting, page_size, SystemRandom()), False
    else:
        page = page_after(fitting, cursor, page_size + 1)
        page, rest = page[:page_size], len(page) > page_size
    out = {"puzzles": [_json(collection.game, one) for one in page], "count": len(fitting)}
    return {**out, "cursor": page[-1].id} if rest else out


@router.get("/games", response_model=bodies.PuzzleGames)
async def with_puzzles() -> Any:  # noqa: ANN401 - checked by the model
    """Lists the games that have puzzles, with the number of puzzles of each kind."""
    return {"games": [_game_json(one) for one in (await to_thread(shipped_puzzles)).values()]}


@router.get("/{puzzle_id}", response_model=bodies.PuzzleBody)
async def read(puzzle_id: PuzzleId) -> Any:  # noqa: ANN401 - checked by the model
    """Returns a puzzle."""
    found = (await to_thread(puzzles_by_id)).get(puzzle_id)
    if found is None:
        raise ApiError(Code.NOT_FOUND, f"There is no puzzle {puzzle_id}.", field="puzzle_id")
    return _json(*found)


def _collection(game: str) -> PuzzleCollection:
    offered = [row.name for row in games() if row.listed]
    if game not in offered:
        raise unknown_game(game, offered)
    return shipped_puzzles().get(game) or PuzzleCollection(game, ())


def _check_names(game: str, variant: str | None, theme: str | None) -> None:
    variants = next(row.variants for row in games() if row.name == game)
    for field, name, known in (("variant", variant, variants), ("theme", theme, titles_of(game))):
        if name is not None and name not in known:
            text = f"{game} has no {field} {name!r}{known_names(name, known) or '.'}"
            raise ApiError(Code.MALFORMED, text, field=field)


def _json(game: str, puzzle: Puzzle) -> dict[str, Any]:
    return {
        "id": puzzle.id,
        "game": game,
        "variant": puzzle.variant,
        "config": puzzle.config,
        "moves": puzzle.moves,
        "seat": puzzle.seat,
        "difficulty": puzzle.difficulty,
        "themes": puzzle.themes,
        "solution": puzzle.solution,
        "rival": puzzle.rival,
        "gap": puzzle.gap,
        "share": puzzle.share,
        "tail": puzzle.tail,
    }


def _game_json(collection: PuzzleCollection) -> dict[str, Any]:
    titles = titles_of(collection.game)
    return {
        "game": collection.game,
        "count": len(collection.puzzles),
        "variants": collection.variants,
        "difficulties": collection.difficulties,
        "themes": [
            {"theme": theme, "title": titles[theme], "count": count}
            for theme, count in collection.themes.items()
        ],
    }
