"""The position of a game that a restarted bot continues, from what ``recover`` tells it.

The host sends the cheese that is left, not what was eaten, but a position knows the eaten pieces from its start: their
number decides when a player has the majority. The eaten pieces are therefore placed where the players have been such
that the scores are right; their exact places no longer matter. Called by ``bot``.
"""

from contextlib import suppress
from dataclasses import replace

from engines import Position, RuleError
from protocols.pyrat.text.board import GameDescription
from protocols.pyrat.text.lines import GAME, BadLine, Cell


def recovered(setup: GameDescription, max_turns: int, mud_model: str) -> Position:
    """The current position. Raises BadLine or RuleError if there is none.

    If the history does not lead from the starts to the current cells and scores, a new game starts at these cells.
    """
    if setup.cells is None:
        raise BadLine("current_position is missing")
    if setup.has_starts:
        with suppress(RuleError, LookupError):
            return _replayed(setup, max_turns, mud_model)
    left = max(1, max_turns - len(setup.history))
    return replace(setup, starts=dict(enumerate(setup.cells))).start(left, mud_model)


def _replayed(setup: GameDescription, max_turns: int, mud_model: str) -> Position:
    """Raises LookupError if the history leads elsewhere, RuleError if it is impossible."""
    config = setup.config(max_turns, mud_model)
    firsts = _first_visits(Position(GAME, None, config), setup.history)
    position = Position(GAME, None, {**config, "cheese": [*setup.cheese, *_eaten(firsts, setup.scores)]})
    position.play(*setup.history)
    players = position.view()["players"]
    found = [(tuple(player["cell"]), player["score"]) for player in players]
    if found != list(zip(setup.cells or (), setup.scores, strict=True)):
        raise LookupError("the history leads elsewhere")
    return position


def _first_visits(position: Position, history: list[str]) -> dict[Cell, frozenset[int]]:
    """The seats that were first to stand on a cell without being held by mud, by cell, in the order of their visits."""
    firsts: dict[Cell, frozenset[int]] = {}
    for move in history:
        position.play(move)
        free = {
            seat: tuple(player["cell"])
            for seat, player in enumerate(position.view()["players"])
            if not player["mud"]
        }
        for cell in set(free.values()):
            firsts.setdefault(cell, frozenset(seat for seat, where in free.items() if where == cell))
    return firsts


def _eaten(firsts: dict[Cell, frozenset[int]], scores: tuple[float, float]) -> list[Cell]:
    """Cells whose cheese gives these scores. Raises LookupError if there are too few."""
    shared = [cell for cell, seats in firsts.items() if len(seats) > 1]
    own = [[cell for cell, seats in firsts.items() if seats == {seat}] for seat in range(len(scores))]
    for halves in range(len(shared) + 1):
        wanted = [score - halves / 2 for score in scores]
        if all(
            count >= 0 and count == int(count) <= len(cells) for count, cells in zip(wanted, own, strict=True)
        ):
            taken = [cells[: int(count)] for count, cells in zip(wanted, own, strict=True)]
            return [*shared[:halves], *taken[0], *taken[1]]
    raise LookupError("the players cannot have these scores")
