"""What agents read: games, positions, moves and rules as compact text. Values in, text out.

Names that players chose are quoted as JSON strings: they are data, which an agent must not take for instructions.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache

from engines import Position, RuleError
from engines.text_boards import board_text
from plyhouse.agents.requests import ListedGame, SeatName, SeenGame, StudiedLine, StudiedPosition
from plyhouse.wire import Json, ServerBot

PAGE = 50
"""Legal moves on a page."""

RECENT = 8
"""The last moves that a position shows."""


def position_text(seen: SeenGame) -> str:
    """The position with its seats, the last moves and the first page of legal moves."""
    state = seen.state
    lines = [
        f"game {seen.game_id}: {state.game} {state.variant}, ply {state.ply}, {status_text(seen)}",
        *map(_seat_line, seen.seats),
        _whose_turn(seen),
    ]
    if any(left is not None for left in state.clocks):
        lines.append("milliseconds left: " + ", ".join(map(str, state.clocks)))
    if state.history:
        first = max(0, state.ply - RECENT)
        lines.append(f"last moves (from ply {first + 1}): {'; '.join(state.history[-RECENT:])}")
    lines.append(board_text(state.game, state.view))
    if seen.seat in state.to_act:
        lines.append(moves_text(seen, "", 1))
    return "\n".join(lines)


def status_text(seen: SeenGame) -> str:
    """The status, and for a finished game the result."""
    state = seen.state
    if state.winners is None:
        return {"open": "open: a seat is free"}.get(state.status, state.status)
    who = ", ".join(f"seat {seat}" for seat in state.winners)
    result = f"won by {who}" if state.winners else "a draw"
    mine = "" if seen.seat is None or not state.winners else f": you {_fate(seen.seat, state.winners)}"
    return f"finished, {result} ({state.reason}){mine}"


def _fate(seat: int, winners: Sequence[int]) -> str:
    return "won" if seat in winners else "lost"


def moves_text(seen: SeenGame, after: str, page: int) -> str:
    """One page of the legal moves, or of the actions that may follow ``after``, the beginning of a move."""
    moves = seen.state.legal.get(-1 if seen.seat is None else seen.seat, ())
    pages = max(1, -(-len(moves) // PAGE))
    shown = moves[(page - 1) * PAGE : page * PAGE]
    kind = (
        "legal moves" if _lists_moves(seen.state.game, seen.state.variant) and not after else "legal actions"
    )
    where = f" after {after}" if after else ""
    lines = [f"{kind}{where} ({len(moves)}, page {page} of {pages}): {'; '.join(shown) or 'none'}"]
    if kind == "legal actions" and seen.can_finish:
        what = after or "no action"
        lines.append(f"{what} may also be the whole move" if after else "the turn may also be passed")
    if kind == "legal actions" and not after:
        lines.append(
            "A move has several actions, and the moves are too many to list: legal_moves with `after` lists the "
            "actions that may follow one, check_move checks a whole move, rules tells how to write it."
        )
    return "\n".join(lines)


@cache
def _lists_moves(game: str, variant: str) -> bool:
    """Whether a game lists whole moves. One that this program does not know is taken as it comes."""
    try:
        return Position(game, variant).lists_moves
    except RuleError:
        return True


def _whose_turn(seen: SeenGame) -> str:
    state = seen.state
    me = "you watch" if seen.seat is None else f"you are seat {seen.seat}"
    if state.is_over:
        return f"{me}; the game is over"
    if not state.to_act:
        return f"{me}; nobody can move yet"
    seats = ", ".join(f"seat {seat}{' (you)' if seat == seen.seat else ''}" for seat in state.to_act)
    return f"{me}; to move: {seats}"


def _seat_line(seat: SeatName) -> str:
    return f"seat {seat.seat}: {_who(seat)}"


def _who(seat: SeatName) -> str:
    kind = seat.bot or ("free" if seat.kind == "open" else seat.kind)
    return kind if seat.name is None else f"{kind}, named {_quoted(seat.name)}"


def _quoted(name: str) -> str:
    """A name on one line, also for those who end lines at Unicode's separators."""
    text = json.dumps(name, ensure_ascii=False)
    return text.replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")


# ---- lists ---------------------------------------------------------------------------------------


def games_text(rules: Iterable[Json]) -> str:
    """The games of a server, one a line."""
    return "\n".join(
        f"{game['game']}: {game['about'].get('sentence', '')} Seats: {_range(game['seats'])}. "
        f"Variants: {', '.join(game['variants'])}."
        for game in rules
    )


def _range(seats: Sequence[int]) -> str:
    low, high = seats
    return str(low) if low == high else f"{low} to {high}"


LEFT_OUT = frozenset({"samples", "noise", "analysisOnly"})
"""Members of the rules that say something about bots and analyses only."""


def rules_text(game: Json) -> str:
    """The rules of one game: its notation, variants and notes, a member a line."""
    about = [
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in game["about"].items()
        if name not in LEFT_OUT
    ]
    lines = (
        f"game: {game['game']}",
        f"seats: {_range(game['seats'])}",
        f"variants: {', '.join(game['variants'])}",
    )
    return "\n".join((*lines, *about))


def bots_text(bots: Iterable[ServerBot]) -> str:
    """Bots, one a line."""
    lines = [f"{bot.id}: {_quoted(bot.name)}, {', '.join(bot.variants)}" for bot in bots]
    return "\n".join(lines) or "no bot is available"


def listed_text(listed: Iterable[ListedGame]) -> str:
    """Games of a list, one a line."""
    lines = [
        f"{one.game_id}: {one.game} {one.variant}, ply {one.ply}, seats: {' / '.join(map(_who, one.seats))}"
        for one in listed
    ]
    return "\n".join(lines) or "there is none"


def study_text(studied: StudiedPosition) -> str:
    """The evaluation of a position, and its candidate moves, one a line."""
    seats = [
        f"ply {studied.ply}: values per seat {_signed(studied.values)}",
        *([] if studied.chances is None else [f"expected scores {_shares(studied.chances)}"]),
        *([] if studied.points is None else [f"expected points {_points(studied.points)}"]),
        f"best move {studied.best_move or 'none'} ({studied.samples} samples, {studied.source})",
    ]
    return "\n".join(("; ".join(seats), *map(_line_text, studied.lines)))


def _line_text(line: StudiedLine) -> str:
    """A candidate; its numbers are the mover's, its points those of all seats."""
    facts = [
        f"value {line.value:+.3f}",
        *([] if line.chance is None else [f"expected score {line.chance:.2f}"]),
        *([] if line.points is None else [f"points {_points(line.points)}"]),
        f"{line.visits} visits",
    ]
    return f"{'; '.join(line.pv)} ({', '.join(facts)})"


def _signed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:+.3f}" for value in values)


def _shares(chances: Iterable[float]) -> str:
    return ", ".join(f"{chance:.2f}" for chance in chances)


def _points(points: Iterable[float]) -> str:
    return " / ".join(f"{number:.1f}" for number in points)
