"""What records of Hive have in common: a game as a text tells it, played through the rules.

GameStrings (``uhp``), PGN (``hive_pgn``) and Boardspace's SGF (``hive_sgf``) give a ``Told``; ``judge`` makes a record
of it. A game from elsewhere may have followed other rules, and its moves may be written as other programs write them:
both are accepted where only one game can be meant.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engines import Outcome, Position, RuleError
from protocols.jsontext import JsonDict
from protocols.play.table import Result
from protocols.records.record import UNKNOWN, Reading, Record, RecordError, Seat, check_length, refused_move
from protocols.uhp import game_string
from protocols.uhp.game_string import DRAW, GAME, WINS, BadGameString, GameString

STATES: Final[Mapping[str, tuple[int, ...]]] = {
    DRAW: (),
    **{state: (seat,) for seat, state in enumerate(WINS)},
}
"""The GameStates that tell a result, and who has won."""

WINNERS: Final[Mapping[str, tuple[int, ...]]] = {
    **{state.lower(): winners for state, winners in STATES.items()},
    "1-0": (0,),
    "0-1": (1,),
    "1/2-1/2": (),
}
"""Who has won, by the word for the result in small letters."""

_QUEEN = re.compile(r"\s*[wb]Q1?\b", re.IGNORECASE)
_ONLY_ONE = re.compile(r"\b([wb][QMLP])1\b", re.IGNORECASE)
_BESIDE = re.compile(r"\s*(\w+)\s+(?:([-/\\])\s*(\w+)|(\w+)\s*([-/\\]))\s*")
"""A move to the cell beside a piece: the moved piece, then a glyph and the piece, or the piece and a glyph."""

_BEFORE: Final[Mapping[str, tuple[int, int]]] = {"-": (-1, 0), "\\": (0, -1), "/": (-1, 1)}
_BEHIND: Final[Mapping[str, tuple[int, int]]] = {"-": (1, 0), "\\": (0, 1), "/": (1, -1)}
"""Where a glyph points to from the piece that it stands before or behind, as (q, r)."""

_QUEEN_FIRST: Final = {"queenFirst": True}
_WITHOUT: Final[Mapping[str, JsonDict]] = {
    "repetition": {"drawByRepetition": False},
    "ply-limit": {"plyLimit": 0},
}
"""What drops the rule that ended a game for this reason: elsewhere games go on after it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """How a text says that the game ended. ``words`` are its own, for notes; no winners: a draw."""

    words: str
    winners: tuple[int, ...]
    reason: str = UNKNOWN


@dataclass(frozen=True, slots=True)
class Told:
    """What a text says of a game: its type and its moves as they stand there, and perhaps how it ended.

    ``places`` says where each move stands, or is empty.
    """

    type: str
    moves: tuple[str, ...]
    claim: Claim | None = None
    places: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = (Seat(), Seat())
    created_at: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Played:
    """The moves of a record as they were played: the start, the end, and what had to be assumed for them."""

    start: Position
    end: Position
    notes: tuple[str, ...]


def judge(told: Told) -> Reading:
    """The record, its moves canonical. RecordError; BadMove names the move and the rule."""
    check_length(told.moves)
    try:
        played = _play(told)
    except BadGameString as error:
        raise RecordError(str(error)) from None
    result, doubts = _result(told.claim, played.end)
    record = Record(
        game=GAME,
        variant=played.start.variant,
        config=played.start.config,
        seats=told.seats,
        moves=tuple(played.end.history),
        result=result,
        created_at=told.created_at,
    )
    return Reading(record, (*told.notes, *played.notes, *doubts))


def read_type(text: str) -> str:
    """The canonical GameType, whatever its case. BadGameString."""
    return game_string.read_type(text.strip().upper().replace("BASE", "Base"))


# ---- moves ---------------------------------------------------------------------------------------


def _play(told: Told) -> _Played:
    """Plays all moves, without the rules that a game from elsewhere need not have followed."""
    config: JsonDict = {}
    notes = []
    if any(_QUEEN.match(move) for move in told.moves[:2]):
        config |= _QUEEN_FIRST
        notes.append(
            "A queen was placed first, which tournaments forbid: the game is kept without that rule."
        )
    while True:
        start = game_string.replay(GameString(read_type(told.type)), config)
        end = start.copy()
        broken = _play_on(end, told)
        if broken is None:
            return _Played(start, end, tuple(notes))
        config |= broken
        notes.append(
            f"The game went on at ply {end.ply}, where it is drawn here: it is kept without that rule."
        )


def _play_on(position: Position, told: Told) -> JsonDict | None:
    """Plays until the end, or until a rule has to be dropped, which is returned. BadMove."""
    for index, move in enumerate(told.moves):
        outcome = position.outcome
        if outcome is not None and outcome.reason in _WITHOUT:
            return _WITHOUT[outcome.reason]
        try:
            _play_one(position, move)
        except RuleError as refusal:
            place = told.places[index] if told.places else ""
            raise refused_move(index, move, refusal, place, index) from None
    return None


def _play_one(position: Position, move: str) -> None:
    """Plays a move as programs write it. RuleError."""
    try:
        game_string.play(position, move)
    except RuleError:
        meant = _as_climb(position, _ONLY_ONE.sub(r"\1", move))
        if meant == move:
            raise
        game_string.play(position, meant)


def _as_climb(position: Position, move: str) -> str:
    """The move with the piece on top of the cell where it leads, if other pieces are there: UHP names that one.

    Any other move as it is.
    """
    found = _BESIDE.fullmatch(move)
    if found is None:
        return move
    piece, before, after_glyph, before_glyph, behind = found.groups()
    neighbour = (after_glyph or before_glyph).lower()
    q, r = _BEFORE[before] if before else _BEHIND[behind]
    stacks = _stacks(position)
    for (from_q, from_r), pieces in stacks.items():
        if neighbour in map(str.lower, pieces):
            top = stacks.get((from_q + q, from_r + r), [piece])[-1]
            return move if top.lower() == piece.lower() else f"{piece} {top}"
    return move


def _stacks(position: Position) -> dict[tuple[int, int], list[str]]:
    """The pieces of each occupied cell (q, r), the lowest first."""
    return {(cell["q"], cell["r"]): cell["pieces"] for cell in position.view()["cells"]}


# ---- result --------------------------------------------------------------------------------------


def _result(claim: Claim | None, end: Position) -> tuple[Result | None, tuple[str, ...]]:
    """The board's result, else the claimed one; and a note where it is not the board's."""
    if end.outcome is not None:
        decided = _decided(end.outcome)
        if claim is None or claim.winners == decided.winners:
            return decided, ()
        shown = game_string.state_of(end)
        return decided, (f"The record says {claim.words}, the board {shown}: the board counts.",)
    if claim is None:
        return None, ()
    note = f"The board leaves the game open: its result is what the record says, {claim.words}."
    return Result(claim.winners, claim.reason), (note,) if claim.reason == UNKNOWN else ()


def _decided(outcome: Outcome) -> Result:
    scores = None if outcome.scores is None else tuple(outcome.scores)
    return Result(tuple(outcome.winners), outcome.reason, scores)
