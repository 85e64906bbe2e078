"""``plyhouse perft``: counts the action tree, the classic correctness and speed test of a rules implementation."""

import json
import sys
import time
from typing import Annotated

import typer

from commands.failure import failing
from engines import BadConfig, Position, RuleError, games, read_position
from protocols.records import formats
from protocols.records.record import RecordError
from protocols.records.replay import replay

FIRST_GAME = games()[0].name


def perft(
    *,
    game: Annotated[str, typer.Option(help="Name of the game.")] = FIRST_GAME,
    variant: Annotated[str | None, typer.Option(help="Variant; the game's first by default.")] = None,
    position: Annotated[
        str | None,
        typer.Option(help="JSON {config, moves}, a bare config or a record of the game; - reads stdin."),
    ] = None,
    depth: Annotated[int, typer.Option(min=0, help="Actions to look ahead.")],
    threads: Annotated[int, typer.Option(min=1, help="Threads to count with.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Count the leaves of the action tree at each depth, and the speed of counting."""
    with failing("perft", RuleError, RecordError):
        text = sys.stdin.read() if position == "-" else position
        start = _position(game, text, variant) if text else Position(game, variant)
    counts = []
    seconds = 0.0
    for level in range(1, depth + 1):
        began = time.perf_counter()
        counts.append(start.perft(level, threads))
        seconds = time.perf_counter() - began
        if not as_json:
            typer.echo(f"{level:3} {counts[-1]:16,} {_speed(counts[-1], seconds):14,} nodes/s")
    if as_json:
        rate = _speed(counts[-1], seconds) if counts else 0
        typer.echo(
            json.dumps(
                {"game": start.game, "variant": start.variant, "counts": counts, "nodesPerSecond": rate}
            )
        )


def _position(game: str, text: str, variant: str | None) -> Position:
    """Reads a position; a record may name its own variant. Raises RuleError or RecordError."""
    if text.lstrip().startswith("{"):
        return read_position(game, text, variant)
    found = replay(formats.read(text))
    if found.game != game or variant not in (None, found.variant):
        raise BadConfig(f"this is a position of {found.game}, {found.variant}")
    return found


def _speed(count: int, seconds: float) -> int:
    return round(count / max(seconds, 1e-9))
