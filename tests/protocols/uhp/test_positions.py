"""The rules of Hive as seen by a viewer: positions from a file, queried through the engine's session."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from protocols.uhp.game_string import parse
from tests.protocols.transcripts import GOLDEN
from tests.protocols.uhp.viewer import Viewer


@dataclass
class Block:
    """A position and facts about it, as (word, rest)."""

    name: str
    game: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)


def read_blocks() -> Iterator[Block]:
    text = (GOLDEN / "uhp" / "positions.txt").read_text()
    for part in text.split("\n\n"):
        lines = [line for line in part.splitlines() if not line.startswith("#")]
        if lines:
            name, game, *facts = lines
            pairs = [(word, rest) for word, _, rest in (fact.partition(" ") for fact in facts)]
            yield Block(name, game.removeprefix("game "), pairs)


BLOCKS = list(read_blocks())


def moves_in(text: str) -> set[str]:
    return set(text.split(";"))


def check(viewer: Viewer, game: str, word: str, rest: str) -> None:
    """Asserts one fact about the viewer's current game."""
    match word:
        case "state":
            assert viewer.ask(f"newgame {game}")[0].split(";")[1] == rest
        case "drawn":
            viewer.tell("options set DrawByRepetition True")
            check(viewer, game, "state", rest)
        case "refuses":
            check_refused(viewer, f"play {rest}", "invalidmove ")
        case "over":
            check_refused(viewer, f"play {rest}", "err ")
        case "accepts":
            sent, _, recorded = rest.partition("= ")
            assert viewer.ask(f"play {sent}")[0].split(";")[-1] == recorded
            viewer.tell("undo")
        case _:
            check_moves(viewer.ask("validmoves")[0].split(";"), game, word, rest)


def check_refused(viewer: Viewer, line: str, beginning: str) -> None:
    (answer,) = viewer.ask(line)
    assert answer.startswith(beginning), line


def check_moves(legal: list[str], game: str, word: str, rest: str) -> None:
    assert len(set(legal)) == len(legal)
    match word:
        case "count":
            assert len(legal) == int(rest)
        case "only":
            assert set(legal) == moves_in(rest)
        case "moves":
            placed = {move.split()[0] for move in parse(game).moves}
            assert {move for move in legal if move.split()[0] in placed} == moves_in(rest)
        case "piece":
            piece, _, moves = rest.partition(" ")
            assert {move for move in legal if move.split()[0] == piece} == moves_in(moves)
        case _:
            raise AssertionError(f"unknown fact {word}")


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.name)
def test_positions(block: Block) -> None:
    viewer = Viewer()
    for word, rest in block.facts:
        viewer.tell(f"newgame {block.game}")
        check(viewer, block.game, word, rest)


def test_the_moves_before_each_ply_of_a_real_game() -> None:
    """The final of the world championship 2018."""
    game = next(block.game for block in BLOCKS if block.name.startswith("the final of 2018"))
    counts = [7, 42, 24, 21, 35, 30, 6, 39, 65, 47, 83, 68, 51, 71, 57, 92, 39, 104, 21, 94]
    viewer = Viewer()
    viewer.tell("newgame Base+MLP")
    for move, count in zip([*parse(game).moves, "wB1 bL"], counts[:-1], strict=True):
        assert len(viewer.ask("validmoves")[0].split(";")) == count
        viewer.tell(f"play {move}")
    assert len(viewer.ask("validmoves")[0].split(";")) == counts[-1]
