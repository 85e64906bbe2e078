"""Hive in the words of its players' programs: GameStrings, and records that name the moves one by one.

``Base+MLP;InProgress;White[2];wS1;bS1 wS1-`` is written and read; tagged records (``uhp_tagged``) are only read.
Type and moves count. What the text says of the state counts where the board leaves the result open, as after a
resignation; a state that the board contradicts is passed over, and so is the turn.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engines import Outcome, Position, RuleError
from protocols.jsontext import JsonDict
from protocols.play.table import Result
from protocols.records import uhp_tagged
from protocols.records.record import UNKNOWN, Reading, Record, RecordError, refused_move
from protocols.records.replay import start_of
from protocols.records.uhp_tagged import Told
from protocols.uhp import game_string
from protocols.uhp.game_string import DRAW, GAME, WINS, BadGameString, GameString

STATES: Final[Mapping[str, tuple[int, ...]]] = {
    DRAW: (),
    **{state: (seat,) for seat, state in enumerate(WINS)},
}
"""The GameStates that tell a result, and who has won."""

_WINNERS: Final = {
    **{state.lower(): winners for state, winners in STATES.items()},
    "1-0": (0,),
    "0-1": (1,),
    "1/2-1/2": (),
}
_GAME_STRING = re.compile(r"\s*Base(\+\w*)?\s*(;|\Z)")
_QUEEN = re.compile(r"\s*[wb]Q\b", re.IGNORECASE)

_QUEEN_FIRST: Final = {"queenFirst": True}
_WITHOUT: Final[Mapping[str, JsonDict]] = {
    "repetition": {"drawByRepetition": False},
    "ply-limit": {"plyLimit": 0},
}
"""What drops the rule that ended a game for this reason: elsewhere games go on after it."""


# ---- writing -------------------------------------------------------------------------------------


def refusal(record: Record) -> str | None:
    """Why the record cannot be written in this format; None when it can."""
    return None if record.game == GAME else f"this format is for {GAME}, not for {record.game}"


def write(record: Record) -> str:
    """The record as a GameString, whose state is the result that the record tells."""
    position = start_of(record)
    position.play(*record.moves)
    forced = None
    if position.outcome is None and record.result is not None:
        forced = next(state for state, winners in STATES.items() if winners == record.result.winners)
    return f"{game_string.write(position, forced)}\n"


# ---- reading -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Played:
    """The moves of a record as they were played: the start, the end, and what had to be assumed for them."""

    start: Position
    end: Position
    notes: tuple[str, ...]


def looks_like(text: str) -> bool:
    """Whether the text begins as a GameString does, or is a tagged record of the game."""
    return _GAME_STRING.match(text) is not None or uhp_tagged.looks_like(text)


def read(text: str) -> Reading:
    """The record, its moves canonical. RecordError; BadMove names the move and the rule."""
    try:
        told = _tell(text) if _GAME_STRING.match(text) else uhp_tagged.read(text)
        played = _play(told)
    except BadGameString as error:
        raise RecordError(str(error)) from None
    result, doubts = _result(told, played.end)
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


def _tell(text: str) -> Told:
    """A GameString, on however many lines somebody has broken it."""
    game = game_string.parse(" ".join(text.split("\n")))
    return Told(game.type, game.moves, state=next(filter(_is_result, text.split(";")[1:2]), None))


def _is_result(state: str) -> bool:
    return state.strip().lower() in _WINNERS


def _play(told: Told) -> _Played:
    """Plays all moves, without the rules that a game of elsewhere need not have followed."""
    config: JsonDict = {}
    notes = []
    if any(_QUEEN.match(move) for move in told.moves[:2]):
        config |= _QUEEN_FIRST
        notes.append(
            "A queen was placed first, which tournaments forbid: the game is kept without that rule."
        )
    while True:
        start = game_string.replay(GameString(told.type), config)
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
            game_string.play(position, move)
        except RuleError as refusal:
            place = told.places[index] if told.places else ""
            raise refused_move(index, move, refusal, place, index) from None
    return None


def _result(told: Told, end: Position) -> tuple[Result | None, tuple[str, ...]]:
    """The board's result, else the told one; and a note where they differ."""
    winners = None if told.state is None else _WINNERS[told.state.strip().lower()]
    if end.outcome is None:
        return None if winners is None else Result(winners, UNKNOWN), ()
    decided = _decided(end.outcome)
    if winners in (None, decided.winners):
        return decided, ()
    return decided, (
        f"The record says {told.state}, the board {game_string.state_of(end)}: the board counts.",
    )


def _decided(outcome: Outcome) -> Result:
    scores = None if outcome.scores is None else tuple(outcome.scores)
    return Result(tuple(outcome.winners), outcome.reason, scores)
