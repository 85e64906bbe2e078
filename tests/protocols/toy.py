"""A toy game for tests of protocols: take 1 to 3 from a heap; the player who takes the last one wins."""

from dataclasses import dataclass, field
from typing import cast

from engines import BadNotation, Position
from protocols.bgs.messages import JsonObject


@dataclass(frozen=True)
class HeapOutcome:
    """The winner's value is +1, the loser's -1."""

    values: tuple[float, float]


@dataclass
class HeapPosition:
    """The heap and the moves played."""

    heap: int
    moves: list[str] = field(default_factory=list)

    @property
    def config(self) -> JsonObject:
        return {"heap": self.heap + sum(map(int, self.moves))}

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def outcome(self) -> HeapOutcome | None:
        if self.heap > 0:
            return None
        return HeapOutcome((1.0, -1.0) if self.ply % 2 else (-1.0, 1.0))

    def play(self, *moves: str) -> None:
        heap = self.heap
        for move in moves:
            if move not in ("1", "2", "3"):
                raise BadNotation(f"{move!r} is not 1, 2 or 3")
            if int(move) > heap:
                raise ValueError(f"only {heap} left")
            heap -= int(move)
        self.heap = heap
        self.moves += moves

    def undo(self) -> None:
        self.heap += int(self.moves.pop())

    def copy(self) -> "HeapPosition":
        return HeapPosition(self.heap, list(self.moves))


def open_heap(game: str, variant: str, config: JsonObject) -> Position:
    """The start; ``config.heap`` is required."""
    if (game, variant) != ("heap", "plain"):
        raise ValueError(f"unknown game {game} {variant}")
    heap = config.get("heap")
    if not isinstance(heap, int) or heap < 1:
        raise ValueError("heap must be 1 or more")
    return cast("Position", HeapPosition(heap))


def heap_config(heap: int) -> JsonObject:
    """The config of a session of this game."""
    return {"game": "heap", "variant": "plain", "heap": heap}
