"""Random games and their records, for tests of records here and of the server."""

import random
from dataclasses import replace

from hypothesis import strategies as st

from engines import BadConfig, Position
from engines.late_moves import late_move
from protocols.records.record import UNKNOWN
from protocols.values import Record, Result, Seat, SeatKind, TimeControl

VARIANTS = ("standard", "classic", "freestyle", "survival")
LATEST_MS = 4_102_444_800_000


def random_start(variant: str, seed: int) -> Position:
    """A Wallwars start: any board size, and every other time random walls and pawns."""
    draw = random.Random(seed)
    if variant == "freestyle":
        return Position("wallwars", variant, {"seed": seed})
    size = {"boardWidth": draw.randint(3, 12), "boardHeight": draw.randint(3, 12)}
    default = Position("wallwars", variant, size)
    if draw.random() < 0.5:
        return default
    while True:
        try:
            return Position("wallwars", variant, {**size, "initialState": _initial(default, draw)})
        except BadConfig:
            continue


def _initial(default: Position, draw: random.Random) -> dict[str, object]:
    height, width = default.config["boardHeight"], default.config["boardWidth"]
    cell = [draw.randrange(height), draw.randrange(width)]
    wall = {"cell": [draw.randrange(height), draw.randrange(width)], "orientation": "vertical", "playerId": 2}
    initial = {**default.config["initialState"], "walls": [wall]}
    if default.variant == "survival":
        return {**initial, "cat": cell, "turnsToSurvive": draw.randint(1, 4), "mouseCanMove": False}
    pawns = initial["pawns"]
    return {**initial, "pawns": {**pawns, "p1": {**pawns["p1"], "cat": cell}}}


def random_maze(variant: str, width: int, height: int, max_turns: int, seed: int) -> Position:
    """A small start of PyRat, with an even number of pieces of cheese."""
    size = {"width": width, "height": height, "maxTurns": max_turns, "cheeseCount": 2 + seed % 3 * 2}
    return Position("pyrat", variant, {**size, "mudModel": ("rust", "doc")[seed % 2], "seed": seed})


def played_on(position: Position, plies: int, seed: int) -> Position:
    """The position after up to ``plies`` random moves."""
    draw = random.Random(seed)
    for _ in range(plies):
        if position.outcome is not None:
            break
        position.play("/".join(_move(position, seat, draw) for seat in position.to_act))
    return position


def _move(position: Position, seat: int, draw: random.Random) -> str:
    if position.lists_moves:
        return draw.choice(position.legal_moves(seat))
    staged = ""
    while legal := position.legal_actions(seat, staged):
        if draw.random() < 0.1 and position.can_finish(seat, staged):
            break
        action = draw.choice(legal)
        staged = f"{staged}.{action}" if staged else action
    return position.check(staged or "---", seat)


positions = st.one_of(
    st.builds(
        lambda variant, plies, seed: played_on(random_start(variant, seed), plies, seed),
        st.sampled_from(VARIANTS),
        st.integers(0, 30),
        st.integers(0, 2**32),
    ),
    st.builds(
        lambda variant, plies, seed: played_on(Position("hive", variant), plies, seed),
        st.sampled_from(["Base", "Base+MLP", "Base+P"]),
        st.integers(0, 30),
        st.integers(0, 2**32),
    ),
    st.builds(
        lambda variant, width, height, turns, plies, seed: played_on(
            random_maze(variant, width, height, turns, seed), plies, seed
        ),
        st.sampled_from(["medium", "open", "asymmetric"]),
        st.integers(4, 7),
        st.integers(4, 7),
        st.integers(1, 40),
        st.integers(0, 40),
        st.integers(0, 2**32),
    ),
    st.builds(
        lambda cards, plies, seed: played_on(Position("toy-goofspiel", None, {"cards": cards}), plies, seed),
        st.integers(1, 5),
        st.integers(0, 5),
        st.integers(0, 2**32),
    ),
    st.builds(
        lambda seats, plies, seed: played_on(
            Position("toy-draw", None, {"seats": seats, "seed": seed}), plies, seed
        ),
        st.integers(2, 3),
        st.integers(0, 12),
        st.integers(0, 2**32),
    ),
)

hive_games = st.builds(
    lambda variant, plies, seed: played_on(Position("hive", variant), plies, seed),
    st.sampled_from(["Base", "Base+MLP", "Base+P"]),
    st.integers(1, 60),
    st.integers(0, 2**32),
)

FORCED_PASS = ("wB1", "bM wB1/", "wQ -wB1", "bQ \\bM", "wP \\wQ", "bQ -bM", "wB1 bM")
forced_passes = st.builds(
    lambda plies, seed: played_on(_after(FORCED_PASS), plies, seed), st.integers(1, 20), st.integers(0, 2**32)
)
"""Games in which Black has to pass after seven plies, and perhaps later."""


def _after(moves: tuple[str, ...]) -> Position:
    position = Position("hive", "Base+MLP")
    position.play(*moves)
    return position


moments = st.integers(0, LATEST_MS)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=64)  # no text has NUL
off_the_board = st.sampled_from(
    [
        None,
        Result((0,), "resignation"),
        Result((0,), "protocol", note="The engine answers “err x”."),
        Result((1,), "timeout"),
        Result((), "draw-agreement"),
        Result((), UNKNOWN),
        Result((1,), UNKNOWN),
    ]
)


def late_seats(position: Position) -> st.SearchStrategy[tuple[tuple[int, ...], ...] | None]:
    """Any of the seats that made the game's late move, by entry; None if nobody was late."""
    made = late_move(position.game)
    if made is None:
        return st.none()
    entries = [
        tuple(st.booleans() if part == made else st.just(value=False) for part in entry.split("/"))
        for entry in position.history
    ]
    flags = st.tuples(*[st.tuples(*entry) for entry in entries])
    return flags.map(_chosen)


def _chosen(flags: tuple[tuple[bool, ...], ...]) -> tuple[tuple[int, ...], ...] | None:
    late = tuple(tuple(seat for seat, is_late in enumerate(entry) if is_late) for entry in flags)
    return late if any(late) else None


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A valid record: its moves are legal, and its result agrees with the rules."""
    position = draw(positions)
    outcome, plies = position.outcome, len(position.history)
    seat = st.builds(
        Seat,
        st.sampled_from([SeatKind.HUMAN, SeatKind.BOT]),
        st.none() | texts,
        st.none() | texts,
        elo=st.none() | st.integers(-999, 9999),
    )
    bare = Record(
        position.game,
        position.variant,
        {**position.config, **(position.secret if draw(st.booleans()) else {})},
        tuple(draw(st.lists(seat, min_size=position.seats, max_size=position.seats))),
        tuple(position.history),
        draw(off_the_board),
    )
    if outcome is not None:
        scores = None if outcome.scores is None else tuple(outcome.scores)
        bare = replace(bare, result=Result(tuple(outcome.winners), outcome.reason, scores))
    bare = replace(bare, late=draw(late_seats(position)))
    if draw(st.booleans()):
        return bare
    clocks = st.tuples(*[moments] * position.seats)
    start = Position(position.game, position.variant, position.config)
    parts = st.just(()) if len(start.to_act) == 1 else st.tuples(*[moments] * position.seats)
    part_times = tuple(draw(st.lists(parts, min_size=plies, max_size=plies)))
    return replace(
        bare,
        part_times=part_times if any(part_times) else None,
        time_control=draw(
            st.builds(TimeControl, st.integers(1, 86_400), st.integers(0, 3600), st.none() | texts)
        ),
        created_at=draw(moments),
        times=tuple(draw(st.lists(moments, min_size=plies, max_size=plies))),
        clocks=tuple(draw(st.lists(clocks, min_size=plies, max_size=plies))),
    )
