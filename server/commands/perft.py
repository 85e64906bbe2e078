"""``plyhouse perft``: counts the tree of actions, the classic check and speed test of a rules implementation."""

import json
import sys
import time
from typing import Annotated

import typer

from engines import Position, RuleError, read_position


def perft(
    *,
    game: Annotated[str, typer.Option(help="Name of the game.")] = "wallwars",
    variant: Annotated[str | None, typer.Option(help="Variant; the game's first by default.")] = None,
    position: Annotated[
        str | None,
        typer.Option(help="Position as JSON {config, moves}, or a bare config; - reads it from stdin."),
    ] = None,
    depth: Annotated[int, typer.Option(min=0, help="Actions to look ahead.")],
    threads: Annotated[int, typer.Option(min=1, help="Threads to count with.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Count the leaves of the tree of actions at each depth, and the speed of counting."""
    try:
        text = sys.stdin.read() if position == "-" else position
        start = read_position(game, text, variant) if text else Position(game, variant)
    except RuleError as error:
        typer.echo(f"plyhouse perft: {error}", err=True)
        raise typer.Exit(1) from None
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


def _speed(count: int, seconds: float) -> int:
    return round(count / max(seconds, 1e-9))
