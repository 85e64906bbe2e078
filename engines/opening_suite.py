"""Opening suites: starts of games from which both seats have about the same chance, for matches between bots.

A suite is a text file. Its first line is a JSON object with ``format``, the ``game``, its ``variant`` and the
configuration that all openings share (``config``, by default the variant's own); other members say how the suite was
made. Every further line is an opening: ``{"moves": ["…"]}``, with a ``config`` if it adds to that of the suite, such as
the seed of a hidden order. ``opening_writer`` makes suites; matches play them.
"""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engines import Position, RuleError

FORMAT: Final = "plyhouse openings 1"

FOLDER: Final = Path(__file__).parent / "openings"
"""The suites that come with Plyhouse."""


class BadOpenings(ValueError):
    """An unusable suite. The text is a sentence that names the file, and the line if there is one."""


@dataclass(frozen=True)
class Opening:
    """The ``config`` of a game and its first moves, as recorded."""

    moves: tuple[str, ...]
    config: Mapping[str, Any] = field(default_factory=dict)

    def position(self, game: str, variant: str | None) -> Position:
        """The position after the moves. Raises RuleError."""
        position = Position(game, variant, self.config)
        position.play(*self.moves)
        return position


@dataclass(frozen=True)
class OpeningSuite:
    """The openings of a file, whose configurations are complete."""

    game: str
    variant: str
    openings: tuple[Opening, ...]

    def shuffled(self, seed: int) -> tuple[Opening, ...]:
        """The openings in the order in which a match with this seed plays them."""
        order = list(self.openings)
        random.Random(seed).shuffle(order)
        return tuple(order)


def fingerprint(openings: Sequence[Opening]) -> str:
    """Tells whether two matches play the same openings in the same order."""
    text = json.dumps([(dict(opening.config), opening.moves) for opening in openings], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def shipped_suite(game: str, variant: str) -> Path:
    """The file of the suite that comes with Plyhouse. Raises BadOpenings if there is none."""
    path = FOLDER / f"{game}-{variant}.jsonl"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.jsonl")))
        raise BadOpenings(f"no openings for {game} {variant} come with Plyhouse, only for {known}")
    return path


def read_suite(path: Path) -> OpeningSuite:
    """Reads a file. Raises BadOpenings."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadOpenings(f"the openings {path} cannot be read: {error}") from None
    rows = [(number, _parse(path, number, line)) for number, line in enumerate(lines, 1) if line.strip()]
    if not rows or rows[0][1].get("format") != FORMAT:
        raise BadOpenings(f"{path} is not a file of openings: its first line has no format '{FORMAT}'")
    (_, head), *openings = rows
    game, variant, config = head.get("game"), head.get("variant"), head.get("config", {})
    if not (isinstance(game, str) and isinstance(variant, str) and isinstance(config, dict)):
        raise BadOpenings(f"{path}, line 1: game, variant or config is missing or of another type")
    if not openings:
        raise BadOpenings(f"{path} has no openings")
    return OpeningSuite(
        game,
        variant,
        tuple(_opening(path, number, row, game, variant, config) for number, row in openings),
    )


def write_suite(path: Path, head: Mapping[str, Any], openings: Sequence[Opening]) -> None:
    """Writes a new file. ``head``: the members of the first line besides ``format``. Raises OSError."""
    shared = head.get("config", {})
    with path.open("x", encoding="utf-8") as file:
        print(json.dumps({"format": FORMAT, **head}, ensure_ascii=False), file=file)
        for opening in openings:
            own = {name: value for name, value in opening.config.items() if name not in shared}
            row = {**({"config": own} if own else {}), "moves": list(opening.moves)}
            print(json.dumps(row, ensure_ascii=False), file=file)


def _parse(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise BadOpenings(f"{path}, line {number}: this is not a JSON object")
    return row


def _opening(
    path: Path, number: int, row: Mapping[str, Any], game: str, variant: str, config: Mapping[str, Any]
) -> Opening:
    moves, own = row.get("moves"), row.get("config", {})
    if not (isinstance(moves, list) and all(isinstance(move, str) for move in moves)):
        raise BadOpenings(f"{path}, line {number}: moves is not a list of moves")
    if not isinstance(own, dict):
        raise BadOpenings(f"{path}, line {number}: config is not an object")
    opening = Opening(tuple(moves), {**config, **own})
    try:
        position = opening.position(game, variant)
    except RuleError as error:
        raise BadOpenings(f"{path}, line {number}: {error}") from None
    if not position.to_act:
        raise BadOpenings(f"{path}, line {number}: the game is over after these moves")
    return opening
