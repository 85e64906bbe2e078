"""PRF, the replay format of PyRat (files ``.pyrat``): tags, the start, and a line per turn.

The start has a line for walls (``W:``), mud (``M:``), cheese (``C:``) and for each player (``R:``, ``P:``); a turn is
``7. U/S (12ms/340ms)``, seat 0 first. ``[Variant …]``, ``[MaxTurns …]`` and ``[MudModel …]`` are our own tags: without
them, the start is incomplete. The turns are in ``prf_turns``. See ``docs/records.md``.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from typing import Any, Final

from engines import BadConfig, Position
from protocols.records import prf_turns
from protocols.records import tags as head
from protocols.records.prf_turns import Section, Turn
from protocols.records.record import UNKNOWN, BadStart, Reading, RecordError
from protocols.records.replay import DRAW_AGREEMENT, replay
from protocols.records.tags import Tag
from protocols.values import LeaveReason, Record, Result, Seat, SeatKind, TimeControl, is_move, moves_of

GAME: Final = "pyrat"
PLAYERS: Final = ("Rat", "Python")
NO_RESULT: Final = "*"
DRAWN: Final = "1/2-1/2"
WINNERS: Final[Mapping[str, tuple[int, ...]]] = {"1-0": (0,), "0-1": (1,), DRAWN: ()}

TURN_LIMIT: Final = "ply-limit"
REASONS: Final[Mapping[str, str]] = {
    "score_threshold": "majority",
    "all_cheese": "cheese",
    "max_turns": TURN_LIMIT,
    **{reason.value.replace("-", "_"): reason.value for reason in LeaveReason},
    DRAW_AGREEMENT.replace("-", "_"): DRAW_AGREEMENT,
    UNKNOWN: UNKNOWN,
}
"""Our reasons by the words of ``[Termination …]``, of which the first three and ``timeout`` are the format's own."""

TERMINATIONS: Final = {reason: word for word, reason in REASONS.items()}

USUAL_TURNS: Final = 300
"""The limit of turns of a record that does not state it: that of most games."""

MAX_TURN_MS: Final = 9_999_999_999
"""The longest time of a turn, 115 days."""

_SIDE = re.compile(r"\d{1,9}", re.ASCII)
_SCORE = re.compile(r"(\d{1,4}(?:\.[05])?)-(\d{1,4}(?:\.[05])?)", re.ASCII)
_TIME = re.compile(r"(\d{1,9})(?:\+(\d{1,9}))?(?:\+\d{1,9})?", re.ASCII)


# ---- writing -------------------------------------------------------------------------------------


def refusal(record: Record) -> str | None:
    """Why the record cannot be written in this format; None if it can."""
    return None if record.game == GAME else f"this format is for {GAME}, not for {record.game}"


def write(record: Record) -> str:
    """Writes the record as text."""
    start = Position(GAME, record.variant or None, record.config)
    moves = moves_of(record.moves)
    end = start.copy()
    end.play(*moves)
    return "\n".join(
        [
            head.write(_tags(record, end)),
            _start_text(start.config),
            prf_turns.write(moves, _late(record), _turn_times(record)),
        ]
    )


def _tags(record: Record, end: Position) -> list[tuple[str, str]]:
    config = end.config
    names = [seat.name for seat in record.seats] or [None, None]
    date = None if record.created_at is None else _date_text(record.created_at)
    found = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", date or "????.??.??"),
        ("Round", "-"),
        *((player, name or "?") for player, name in zip(PLAYERS, names, strict=True)),
        ("Result", _result_text(record.result)),
        ("MazeHeight", config["height"]),
        ("MazeWidth", config["width"]),
        ("TimeControl", _control_text(record.time_control)),
        ("Variant", end.variant),
        ("MaxTurns", config["maxTurns"]),
        ("MudModel", config["mudModel"]),
        ("Termination", None if record.result is None else TERMINATIONS.get(record.result.reason, UNKNOWN)),
        ("FinalScore", "-".join(f"{score:g}" for score in _scores(end))),
        ("TotalTurns", end.ply),
    ]
    return [(name, str(value)) for name, value in found if value is not None]


def _date_text(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y.%m.%d")


def _result_text(result: Result | None) -> str:
    if result is None:
        return NO_RESULT
    return next((text for text, winners in WINNERS.items() if winners == result.winners), DRAWN)


def _control_text(control: TimeControl | None) -> str:
    """The time for a move; ``-`` for other time controls, in which a player who is late loses."""
    if control is None or control.move_ms is None:
        return "-"
    return f"{control.move_ms}+{control.preprocessing_ms or 0}+0"


def _start_text(config: Mapping[str, Any]) -> str:
    rat, python = config["starts"]
    sections = {
        "W": [f"{_cell(one)}-{_cell(other)}" for one, other in config["walls"]],
        "M": [f"{_cell(one)}-{_cell(other)}:{cost}" for one, other, cost in config["mud"]],
        "C": [_cell(cell) for cell in config["cheese"]],
        "R": [_cell(rat)],
        "P": [_cell(python)],
    }
    return "".join(f"{name}:{' '.join(items)}\n" for name, items in sections.items())


def _cell(cell: Sequence[int]) -> str:
    x, y = cell
    return f"({x},{y})"


def _late(record: Record) -> list[tuple[int, ...]]:
    """The seats that were late in each turn."""
    late = record.late or ((),) * len(record.moves)
    return [seats for entry, seats in zip(record.moves, late, strict=True) if is_move(entry)]


def _turn_times(record: Record) -> list[tuple[int, int]] | None:
    """Milliseconds from each turn to the moves of both players in the next.

    To the end of that turn, if the record does not have the times of both; None if it has no times, or no day to count
    from.
    """
    if record.times is None or record.created_at is None:
        return None
    spans = pairwise((record.created_at, *record.times))
    parts = record.part_times or ((),) * len(record.moves)
    return [
        (_span(before, both[0]), _span(before, both[-1]))
        for entry, (before, after), moved in zip(record.moves, spans, parts, strict=True)
        if is_move(entry) and (both := moved or (after,))
    ]


def _span(before: int, after: int) -> int:
    return min(MAX_TURN_MS, max(0, after - before))


# ---- reading -------------------------------------------------------------------------------------


def looks_like(text: str) -> bool:
    """Whether the text has a tag of the maze's size, or a line of the start."""
    return re.search(r'^[ \t]*(\[\s*Maze(Width|Height)\s+"|[WMCRP]:\()', text, re.MULTILINE) is not None


def read(text: str) -> Reading:
    """Reads a record and plays its moves, on which the score and the number of turns depend.

    Raises RecordError, naming the line.
    """
    parts = head.split(text)
    tags = parts.tags
    body = prf_turns.read(parts.body, parts.first_line)
    result = _result(tags)
    max_turns, notes = _max_turns(tags.get("MaxTurns"), result, len(body.turns))
    variant, config = _start(tags, body.sections, max_turns)
    created_at, ignored = head.day_of(tags.get("Date"))
    part_times = _part_times(created_at, body.turns)
    record = Record(
        game=GAME,
        variant=variant,
        config=config,
        seats=tuple(Seat(SeatKind.HUMAN, head.name_of(tags.get(player))) for player in PLAYERS),
        moves=tuple(turn.move for turn in body.turns),
        result=result,
        time_control=_control(tags.get("TimeControl")),
        created_at=created_at,
        times=None if part_times is None else tuple(max(both) for both in part_times),
        part_times=part_times,
        late=tuple(turn.late for turn in body.turns) if any(turn.late for turn in body.turns) else None,
    )
    places = tuple(f"line {turn.line}" for turn in body.turns)
    end = replay(Reading(record, places=places))
    _check_end(tags, end)
    return Reading(replace(record, moves=tuple(end.history)), (*ignored, *notes), places)


def _result(tags: Mapping[str, Tag]) -> Result | None:
    tag, ending = tags.get("Result"), tags.get("Termination")
    if tag is None:
        raise RecordError(f'the tag [Result "…"] is missing: {", ".join(WINNERS)} or {NO_RESULT}')
    if tag.value not in (*WINNERS, NO_RESULT):
        raise tag.refuse("Result", f"it must be {', '.join(WINNERS)} or {NO_RESULT}")
    reason = UNKNOWN if ending is None else REASONS.get(ending.value.strip().lower())
    if ending is not None and reason is None:
        raise ending.refuse("Termination", f"it must be {', '.join(REASONS)}")
    if tag.value != NO_RESULT:
        return Result(WINNERS[tag.value], reason or UNKNOWN)
    if ending is not None and reason != UNKNOWN:
        raise ending.refuse("Termination", f"there is no result, says line {tag.line}")
    return None


def _max_turns(tag: Tag | None, result: Result | None, turns: int) -> tuple[int, tuple[str, ...]]:
    """The limit of turns, with a note if it was assumed."""
    if tag is not None:
        return _whole("MaxTurns", tag), ()
    if result is not None and result.reason == TURN_LIMIT:
        return turns, ()
    limit = max(USUAL_TURNS, turns)
    return limit, (f"The record does not state the limit of turns: {limit} was assumed (MaxTurns).",)


def _start(
    tags: Mapping[str, Tag], sections: Mapping[str, Section], max_turns: int
) -> tuple[str, dict[str, Any]]:
    """The variant and the complete configuration. Raises RecordError or BadStart."""
    cells = {name: section.cells for name, section in sections.items()}
    for name in "CRP":
        if not cells.get(name):
            raise RecordError(f"the line {name}:(x,y) is missing or empty")
        if name != "C" and len(cells[name]) > 1:
            raise RecordError(f"line {sections[name].line}: a player starts on one cell")
    variant, mud_model = tags.get("Variant"), tags.get("MudModel")
    config: dict[str, Any] = {
        "width": _side(tags, "MazeWidth"),
        "height": _side(tags, "MazeHeight"),
        "maxTurns": max_turns,
        "mudModel": None if mud_model is None else mud_model.value.strip().lower(),
        "walls": cells.get("W", []),
        "mud": cells.get("M", []),
        "cheese": cells["C"],
        "starts": [cells["R"][0], cells["P"][0]],
    }
    try:
        start = Position(GAME, None if variant is None else variant.value.strip().lower(), config)
    except BadConfig as refused:
        raise BadStart(f"{_place_of(str(refused), tags, sections)}{refused}") from None
    return start.variant, start.config


def _place_of(refused: str, tags: Mapping[str, Tag], sections: Mapping[str, Section]) -> str:
    """The line that contains what the rules refuse; empty if that is not on one line."""
    places: Mapping[str, Tag | Section | None] = {
        "walls": sections.get("W"),
        "mud[": sections.get("M"),
        "cheese": sections.get("C"),
        "starts[0]": sections.get("R"),
        "starts[1]": sections.get("P"),
        "width": tags.get("MazeWidth"),
        "height": tags.get("MazeHeight"),
        "maxTurns": tags.get("MaxTurns"),
        "mudModel": tags.get("MudModel"),
        "variant": tags.get("Variant"),
    }
    place = next((place for name, place in places.items() if name in refused), None)
    return "" if place is None else f"line {place.line}: "


def _side(tags: Mapping[str, Tag], name: str) -> int:
    tag = tags.get(name)
    if tag is None:
        raise RecordError(f'the tag [{name} "…"] is missing: a number of cells')
    return _whole(name, tag)


def _whole(name: str, tag: Tag) -> int:
    if not _SIDE.fullmatch(tag.value.strip()):
        raise tag.refuse(name, "a whole number is needed")
    return int(tag.value)


def _control(tag: Tag | None) -> TimeControl | None:
    if tag is None or tag.value.strip() in ("", "-", "?"):
        return None
    match = _TIME.fullmatch(tag.value.strip())
    if match is None:
        raise tag.refuse("TimeControl", "milliseconds are needed: move+preprocessing+postprocessing")
    move_ms, preprocessing_ms = int(match[1]), int(match[2] or 0)
    return TimeControl(0, 0, move_ms=move_ms, preprocessing_ms=preprocessing_ms or None) if move_ms else None


def _part_times(created_at: int | None, turns: Sequence[Turn]) -> tuple[tuple[int, int], ...] | None:
    """When both players moved, if the day is known and every turn has its times. The slower one's ends the turn."""
    spent = [turn.times for turn in turns if turn.times is not None]
    if created_at is None or not turns or len(spent) < len(turns):
        return None
    starts = accumulate(map(max, spent), initial=created_at)
    return tuple((start + rat, start + python) for start, (rat, python) in zip(starts, spent, strict=False))


def _check_end(tags: Mapping[str, Tag], end: Position) -> None:
    """Raises RecordError if the record states another score or another number of turns."""
    total, score = tags.get("TotalTurns"), tags.get("FinalScore")
    if total is not None and _whole("TotalTurns", total) != end.ply:
        raise total.refuse("TotalTurns", f"the record has {end.ply} turns")
    if score is None or score.value.strip() in ("", "-", "?"):
        return
    match = _SCORE.fullmatch(score.value.strip())
    if match is None:
        raise score.refuse("FinalScore", "points of Rat and Python are needed, such as 3-2.5")
    if (float(match[1]), float(match[2])) != _scores(end):
        raise score.refuse("FinalScore", f"the moves lead to {'-'.join(f'{one:g}' for one in _scores(end))}")


def _scores(position: Position) -> tuple[float, ...]:
    return tuple(player["score"] for player in position.view()["players"])
