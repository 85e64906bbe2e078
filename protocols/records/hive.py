"""Shared by the records of Hive: plays a parsed game through the rules.

GameStrings (``uhp``), PGN (``hive_pgn``) and Boardspace's SGF (``hive_sgf_reader``) are parsed into a ``ParsedGame``,
which ``to_reading`` turns into a record. A game from elsewhere may have followed other rules, and other programs may
write its moves differently: both are accepted if the game is unambiguous.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engines import Position, RuleError
from protocols.jsontext import JsonDict
from protocols.records.record import (
    UNKNOWN,
    BadMove,
    Reading,
    RecordError,
    check_length,
    refused_move,
)
from protocols.uhp import game_string
from protocols.uhp.game_string import DRAW, GAME, WINS, BadGameString, GameString
from protocols.values import Record, Result, Seat, SeatKind

STATES: Final[Mapping[str, tuple[int, ...]]] = {
    DRAW: (),
    **{state: (seat,) for seat, state in enumerate(WINS)},
}
"""The GameStates of finished games, with their winners."""

WINNERS: Final[Mapping[str, tuple[int, ...]]] = {
    **{state.lower(): winners for state, winners in STATES.items()},
    "1-0": (0,),
    "0-1": (1,),
    "1/2-1/2": (),
}
"""Winners by the word for the result, in lower case."""

_NUMBERED = re.compile(r"\b([wb][SBGA])(\d)\b", re.IGNORECASE)
"""A piece of a kind that has several."""

_QUEEN = re.compile(r"\s*[wb]Q1?\b", re.IGNORECASE)
_ONLY_ONE = re.compile(r"\b([wb][QMLP])1\b", re.IGNORECASE)
_BESIDE = re.compile(r"\s*(\w+)\s+(?:([-/\\])\s*(\w+)|(\w+)\s*([-/\\]))\s*")
"""A move next to a piece: the moved piece, then a glyph and the piece, or the piece and a glyph."""

_BEFORE: Final[Mapping[str, tuple[int, int]]] = {"-": (-1, 0), "\\": (0, -1), "/": (-1, 1)}
_BEHIND: Final[Mapping[str, tuple[int, int]]] = {"-": (1, 0), "\\": (0, 1), "/": (1, -1)}
"""Offset (q, r) of the cell that a glyph before or after a piece refers to."""

_QUEEN_FIRST: Final = {"queenFirst": True}
_WITHOUT: Final[Mapping[str, JsonDict]] = {
    "repetition": {"drawByRepetition": False},
    "ply-limit": {"plyLimit": 0},
}
"""Configuration that turns off the rule that ended a game for this reason, for games that continued."""


@dataclass(frozen=True, slots=True)
class Claim:
    """How the text says the game ended. ``words`` is a quotation for notes; a draw has no winners."""

    words: str
    winners: tuple[int, ...]
    reason: str = UNKNOWN


@dataclass(frozen=True, slots=True)
class ParsedGame:
    """A game as parsed from a text: its type, its moves as written, and its claimed result, if any.

    ``places`` are the places of the moves in the text, or empty.
    """

    type: str
    moves: tuple[str, ...]
    claim: Claim | None = None
    places: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = (Seat(SeatKind.HUMAN),) * 2
    created_at: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Played:
    """A game played through the rules: its start, its end, and notes about assumptions."""

    start: Position
    end: Position
    notes: tuple[str, ...]


def to_reading(parsed: ParsedGame) -> Reading:
    """Plays the game and returns it as a record, with canonical moves.

    Raises RecordError; BadMove names the move and the violated rule.
    """
    check_length(parsed.moves)
    moves = _renumbered(parsed.moves)
    if moves != parsed.moves:
        note = "Pieces of a kind were numbered anew, in the order in which they were placed."
        parsed = replace(parsed, moves=moves, notes=(*parsed.notes, note))
    try:
        played = _play(parsed)
    except BadMove as refusal:
        legal = replace(parsed, moves=parsed.moves[: refusal.ply], claim=None)
        raise BadMove(str(refusal), refusal.ply, to_reading(legal)) from None
    except BadGameString as error:
        raise RecordError(str(error)) from None
    result, doubts = _result(parsed.claim, played.end)
    record = Record(
        game=GAME,
        variant=played.start.variant,
        config=played.start.config,
        seats=parsed.seats,
        moves=tuple(played.end.history),
        result=result,
        created_at=parsed.created_at,
    )
    return Reading(record, (*parsed.notes, *played.notes, *doubts))


def read_type(text: str) -> str:
    """The canonical GameType, ignoring case, and with a space for the plus, as in addresses. Raises BadGameString."""
    return game_string.read_type(text.strip().upper().replace("BASE", "Base").replace("Base ", "Base+"))


# ---- moves ---------------------------------------------------------------------------------------


def _renumbered(moves: Sequence[str]) -> tuple[str, ...]:
    """The moves with the pieces of each kind numbered in the order in which they are first moved, as UHP requires.

    Some programs place the second ant first.
    """
    numbers: dict[str, str] = {}
    return tuple(renumbered(move, numbers) for move in moves)


def renumbered(move: str, numbers: dict[str, str]) -> str:
    """The move with the numbers of its pieces in ``numbers``, to which a piece on its first move is added."""
    moved = _NUMBERED.match(move.strip())
    if moved is not None and moved[0].lower() not in numbers:
        kind = moved[1].lower()
        placed = sum(piece.startswith(kind) for piece in numbers)
        numbers[moved[0].lower()] = str(placed + 1)
    return _NUMBERED.sub(lambda found: f"{found[1]}{numbers.get(found[0].lower(), found[2])}", move)


def _play(parsed: ParsedGame) -> _Played:
    """Plays all moves, without those rules that games from elsewhere may not have followed."""
    config: JsonDict = {}
    notes = []
    if any(_QUEEN.match(move) for move in parsed.moves[:2]):
        config |= _QUEEN_FIRST
        notes.append(
            "A queen was placed first, which tournaments forbid: the game is kept without that rule."
        )
    while True:
        start = game_string.replay(GameString(read_type(parsed.type)), config)
        end = start.copy()
        broken = _play_on(end, parsed)
        if broken is None:
            return _Played(start, end, tuple(notes))
        config |= broken
        notes.append(
            f"The game went on at ply {end.ply}, where it is drawn here: it is kept without that rule."
        )


def _play_on(position: Position, parsed: ParsedGame) -> JsonDict | None:
    """Plays all moves; stops if a rule ends the game early and returns the change that removes it. Raises BadMove."""
    for index, move in enumerate(parsed.moves):
        outcome = position.outcome
        if outcome is not None and outcome.reason in _WITHOUT:
            return _WITHOUT[outcome.reason]
        try:
            play_as_written(position, move)
        except RuleError as refusal:
            place = parsed.places[index] if parsed.places else ""
            raise refused_move(index, move, refusal, place, index) from None
    return None


def play_as_written(position: Position, move: str) -> None:
    """Plays a move as written by other programs. Raises RuleError."""
    try:
        game_string.play(position, move)
    except RuleError:
        meant = _as_climb(position, _ONLY_ONE.sub(r"\1", move))
        if meant == move:
            raise
        game_string.play(position, meant)


def _as_climb(position: Position, move: str) -> str:
    """Rewrites a move onto an occupied cell to name the piece on top of that cell, as UHP requires.

    Returns other moves unchanged.
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
    """The pieces of each occupied cell (q, r), from bottom to top."""
    return {(cell["q"], cell["r"]): cell["pieces"] for cell in position.view()["cells"]}


# ---- result --------------------------------------------------------------------------------------


def _result(claim: Claim | None, end: Position) -> tuple[Result | None, tuple[str, ...]]:
    """The result on the board, or else the claimed one; with a note if they differ or the claim is unverified."""
    if end.outcome is not None:
        decided = Result.by_rules(end.outcome)
        if claim is None or claim.winners == decided.winners:
            return decided, ()
        shown = game_string.state_of(end)
        return decided, (f"The record says {claim.words}, the board {shown}: the board counts.",)
    if claim is None:
        return None, ()
    note = f"The board leaves the game open: its result is what the record says, {claim.words}."
    return Result(claim.winners, claim.reason), (note,) if claim.reason == UNKNOWN else ()
