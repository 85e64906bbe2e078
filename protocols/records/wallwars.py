"""The Wallwars site's format: PGN-like tags, a blank line, and numbered pairs of moves.

``[Board "12x10"]`` (columns x rows) and ``[Result …]`` are required. ``[Config …]`` is our own extension: the start
configuration as in the bot protocol, written only if it differs from the variant's default on that board. See
``docs/records.md``.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from engines import BadConfig, Position
from protocols import jsontext
from protocols.jsontext import JsonDict
from protocols.records import tags as head
from protocols.records.movetext import Movetext, read_movetext
from protocols.records.record import UNKNOWN, BadStart, Reading, RecordError
from protocols.records.tags import Tag
from protocols.session import RemoteError
from protocols.values import Record, Result, Seat, SeatKind, TimeControl

GAME: Final = "wallwars"
RANDOM_START: Final = "freestyle"
"""The variant with a random start, which is unknown without ``[Config …]``."""

PLAYERS: Final = ("Player1", "Player2")
NO_RESULT: Final = "*"
DRAWN: Final = "1/2-1/2"
WINNERS: Final[Mapping[str, tuple[int, ...]]] = {"1-0": (0,), "0-1": (1,), DRAWN: ()}
TERMINATIONS: Final[Mapping[str, str]] = {
    "capture": "MouseCapture",
    "timeout": "Timeout",
    "resignation": "Resignation",
    "draw-agreement": "DrawAgreement",
    "one-move-rule": "OneMoveRuleDraw",
    "survival": "Survival",
    UNKNOWN: "Unknown",
}
"""The site's words for our reasons; ``Survival`` is ours, because the site has no word for it."""

REASONS: Final = {word.lower(): reason for reason, word in TERMINATIONS.items()}

_BOARD = re.compile(r"(\d{1,3})\s*[xX\u00d7]\s*(\d{1,3})", re.ASCII)
_TIME = re.compile(r"(\d{1,9})(?:\s*\+\s*(\d{1,9}))?", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


# ---- writing -------------------------------------------------------------------------------------


def refusal(record: Record) -> str | None:
    """Why the record cannot be written in this format; None if it can."""
    return None if record.game == GAME else f"this format is for {GAME}, not for {record.game}"


def write(record: Record) -> str:
    """Writes the record as text."""
    result = _result_text(record.result)
    return f"{head.write(_tags(record, result))}\n{_numbered(record.moves)}{result}\n"


def _tags(record: Record, result: str) -> list[tuple[str, str]]:
    start = Position(GAME, record.variant or None, record.config)
    variant, config = start.variant, start.config
    found = [
        ("Variant", variant),
        ("Board", f"{config['boardWidth']}x{config['boardHeight']}"),
        *((player, seat.name) for player, seat in _seated(record) if seat.name not in head.NAMELESS),
        *((f"{player}Elo", seat.elo) for player, seat in _seated(record)),
        ("Date", None if record.created_at is None else _date_text(record.created_at)),
        ("TimeControl", record.time_control),
        ("Result", result),
        ("Termination", _termination(record.result)),
        ("Config", _start_text(variant, config)),
    ]
    return [(name, str(value)) for name, value in found if value is not None]


def _seated(record: Record) -> list[tuple[str, Seat]]:
    return list(zip(PLAYERS, record.seats, strict=False))


def _start_text(variant: str, config: JsonDict) -> str | None:
    size = {name: config[name] for name in ("boardWidth", "boardHeight")}
    if variant != RANDOM_START and Position(GAME, variant, size).config == config:
        return None
    return jsontext.write({"variant": variant, **config})


def _termination(result: Result | None) -> str | None:
    return None if result is None else TERMINATIONS.get(result.reason, TERMINATIONS[UNKNOWN])


def _date_text(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y.%m.%d")


def _result_text(result: Result | None) -> str:
    if result is None:
        return NO_RESULT
    return next((text for text, winners in WINNERS.items() if winners == result.winners), DRAWN)


def _numbered(moves: tuple[str, ...]) -> str:
    pairs = (moves[start : start + 2] for start in range(0, len(moves), 2))
    return "".join(f"{number}. {' '.join(pair)}\n" for number, pair in enumerate(pairs, start=1))


# ---- reading -------------------------------------------------------------------------------------


def looks_like(text: str) -> bool:
    """Whether a line begins with a tag, or with the first move."""
    return re.search(r"^[ \t]*(\[|1[ \t]*\.)", text, re.MULTILINE) is not None


def read(text: str) -> Reading:
    """Reads a record. Raises RecordError, naming the line."""
    parts = head.split(text)
    body = read_movetext(parts.body, parts.first_line, (*WINNERS, NO_RESULT))
    tags = parts.tags
    variant, config = read_start(tags, "standard")
    created_at, notes = head.day_of(tags.get("Date"))
    record = Record(
        game=GAME,
        variant=variant,
        config=config,
        seats=tuple(_seat(tags, player) for player in PLAYERS),
        moves=tuple(move.text for move in body.moves),
        result=_result(tags, body),
        time_control=_control(tags.get("TimeControl")),
        created_at=created_at,
    )
    return Reading(record, notes, tuple(f"line {move.line}" for move in body.moves))


def read_start(tags: Mapping[str, Tag], default: str) -> tuple[str, JsonDict]:
    """The variant (default: ``default``) and complete config from the tags Variant, Board and Config.

    Raises RecordError or BadStart.
    """
    board = tags.get("Board")
    if board is None:
        raise RecordError('the tag [Board "…"] is missing: columns x rows, such as 8x8')
    size = _BOARD.fullmatch(board.value.strip())
    if size is None:
        raise board.refuse("Board", "columns x rows are needed, such as 12x10")
    named = tags.get("Variant")
    variant = default if named is None else named.value.strip().lower()
    given = tags.get("Config")
    if given is None and variant == RANDOM_START:
        raise RecordError(f"a {RANDOM_START} game needs its start, which is drawn at random: [Config …]")
    config = {} if given is None else _config(given)
    if given is not None and config.pop("variant", variant) != variant:
        raise given.refuse("Config", f"its variant is not {variant}, which is the record's")
    sides = {"boardWidth": int(size[1]), "boardHeight": int(size[2])}
    try:
        complete = Position(GAME, variant, {**sides, **config}).config
    except BadConfig as refusal:
        place = "" if given is None else f"line {given.line}: "
        raise BadStart(f"{place}{refusal}") from None
    if any(complete[name] != side for name, side in sides.items()):
        raise board.refuse("Board", "the board in [Config …] has another size")
    return variant, complete


def _config(tag: Tag) -> JsonDict:
    try:
        return jsontext.read_object(tag.value)
    except RemoteError as error:
        raise RecordError(f"line {tag.line}: [Config …]: {error}") from None


def _seat(tags: Mapping[str, Tag], player: str) -> Seat:
    name, elo = tags.get(player), tags.get(f"{player}Elo")
    return Seat(
        SeatKind.HUMAN,
        head.name_of(name),
        elo=None if elo is None else _elo(elo, f"{player}Elo"),
    )


def _elo(tag: Tag, name: str) -> int | None:
    if tag.value in ("", "?", "-"):
        return None
    if not _NUMBER.fullmatch(tag.value.strip()):
        raise tag.refuse(name, "a whole number is needed")
    return int(tag.value)


def _result(tags: Mapping[str, Tag], body: Movetext) -> Result | None:
    tag = tags.get("Result")
    if tag is None:
        raise RecordError(f'the tag [Result "…"] is missing: {", ".join(WINNERS)} or {NO_RESULT}')
    if tag.value not in (*WINNERS, NO_RESULT):
        raise tag.refuse("Result", f"it must be {', '.join(WINNERS)} or {NO_RESULT}")
    if body.result is not None and body.result.text != tag.value:
        raise RecordError(
            f"line {body.result.line}: {body.result.text}, but line {tag.line} says {tag.value}"
        )
    ending = tags.get("Termination")
    reason = UNKNOWN if ending is None else _reason(ending)
    if tag.value != NO_RESULT:
        return Result(WINNERS[tag.value], reason)
    if ending is not None and reason != UNKNOWN:
        raise ending.refuse("Termination", f"there is no result, says line {tag.line}")
    return None


def _reason(tag: Tag) -> str:
    reason = REASONS.get(tag.value.strip().lower())
    if reason is None:
        raise tag.refuse("Termination", f"it must be {', '.join(TERMINATIONS.values())}")
    return reason


def _control(tag: Tag | None) -> TimeControl | None:
    if tag is None or tag.value.strip() in ("", "-", "?"):
        return None
    match = _TIME.fullmatch(tag.value.strip())
    if match is None:
        raise tag.refuse("TimeControl", "seconds and increment are needed, such as 180+2")
    return TimeControl(int(match[1]), int(match[2] or 0))
