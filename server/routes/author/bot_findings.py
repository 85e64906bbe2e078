"""What ``/api/ladder/bots/{id}`` tells the author of a bot about how it plays. Part of ``routes.ladder``."""

from typing import Any

from server.domain.ladder.losses import LossKind, LossTally
from server.domain.ladder.opening_scores import WeakOpening
from server.domain.ladder.thinking import ThinkingTime
from server.routes import common_models as models


class WeakOpeningBody(models.Body):
    """Openings with the same first ``moves``, in which the bot scores less than its rating says, by more than chance.

    ``score`` of ``games``, a draw being 0.5, and what was ``expected``. ``gameId``: the latest game that it lost.
    """

    game: str
    variant: str
    moves: list[str]
    games: int
    score: float
    expected: float
    game_id: str


class LossBody(models.Body):
    """How many games the bot lost in one way. Moves are those of all players, those of the opening as well.

    ``gameId``: the latest one; ``shortestGameId``: the one with the fewest moves.
    """

    kind: LossKind
    games: int
    median_plies: int
    fewest_plies: int
    game_id: str
    shortest_game_id: str


class ThinkingBody(models.Body):
    """How long the bot's clock ran for a move, in milliseconds, in its latest ``games``, and its slowest move there."""

    games: int
    moves: int
    median_ms: int
    slowest_ms: int
    slowest_game_id: str
    slowest_ply: int


def weak_opening_json(weak: WeakOpening) -> dict[str, Any]:
    """The members of ``WeakOpeningBody``."""
    game, variant = weak.key
    return {
        "game": game,
        "variant": variant,
        "moves": list(weak.moves),
        "games": weak.games,
        "score": weak.score,
        "expected": round(weak.expected, 2),
        "gameId": weak.game_id,
    }


def loss_json(tally: LossTally) -> dict[str, Any]:
    """The members of ``LossBody``."""
    return {
        "kind": tally.kind,
        "games": tally.games,
        "medianPlies": tally.median,
        "fewestPlies": tally.fewest,
        "gameId": tally.game_id,
        "shortestGameId": tally.shortest,
    }


def thinking_json(time: ThinkingTime | None) -> dict[str, Any] | None:
    """The members of ``ThinkingBody``."""
    if time is None:
        return None
    return {
        "games": time.games,
        "moves": time.moves,
        "medianMs": time.median_ms,
        "slowestMs": time.slowest_ms,
        "slowestGameId": time.slowest_game,
        "slowestPly": time.slowest_ply,
    }
