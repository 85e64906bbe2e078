"""Conversion between evaluations and V3 responses, and whether a response fulfils its request.

A response has the value for seat 0, and the values of all seats only if they add information. Used by the engine's side
and by the host's side of a bot's connection.
"""

from dataclasses import replace
from itertools import takewhile
from typing import TypeVar

from engines import Candidate, Evaluation, Position, hides_order
from protocols.bgs import messages as bgs
from protocols.bgs.codec import TYPE_NAMES
from protocols.bgs.effects import AnswerError, RefusalError
from protocols.names import MAX_NAME
from protocols.session import MAX_MESSAGE_UNITS, message_units
from protocols.values import extra_values, is_move, parts_of

R = TypeVar("R", bound=bgs.Response)

LONGEST_MOVE = 200
"""Characters of a move in a line."""

MOST_SAMPLES = 2**53 - 1
"""The largest whole number of a page."""


def granted(request: bgs.Request, response: bgs.Response, expected: type[R]) -> R:
    """Return the response if it has the ``expected`` type and fulfils ``request``; else RefusalError or AnswerError.

    A bot that refuses to end a session does not have it, so any response to an end counts as success.
    """
    if not isinstance(response, expected):
        asked, answered = TYPE_NAMES[type(request)], TYPE_NAMES[type(response)]
        raise AnswerError(f"the analyst answered {asked} with {answered}")
    if not (response.success or isinstance(response, bgs.GameSessionEnded)):
        raise RefusalError(response.error or "the analyst refused without a reason")
    match request:
        case bgs.EvaluatePosition(expected_ply=ply):
            _check_ply(response, ply)
        case bgs.ApplyMove(expected_ply=ply, move=move):
            _check_ply(response, ply + is_move(move))
    return response


def too_long(answer: str) -> str:
    """Why an answer is refused that no connection carries."""
    return f"the answer is too long ({message_units(answer):,} of {MAX_MESSAGE_UNITS:,} characters)"


def _check_ply(response: bgs.Response, ply: int) -> None:
    if isinstance(response, bgs.EvaluateResponse | bgs.MoveApplied) and response.ply != ply:
        raise AnswerError(f"the analyst is at ply {response.ply} instead of {ply}")


def evaluation_of(response: bgs.EvaluateResponse, seats: int) -> Evaluation:
    """The evaluation in a response, for a game with this number of seats.

    AnswerError if it has values or policies for another number of seats.

    Without ``values``, the other seats have equal shares of the winning chance that seat 0 does not have; with two
    seats, the values add up to 0.
    """
    values = response.values
    if values is None:
        other = (2 - seats - response.evaluation) / (seats - 1)
        values = (response.evaluation, *(other,) * (seats - 1))
    elif len(values) != seats:
        raise AnswerError(f"values has {len(values)} numbers, but the game has {seats} seats")
    policies, chances = response.policies, response.chances
    if policies is not None and len(policies) != seats:
        raise AnswerError(f"policies has {len(policies)} objects, but the game has {seats} seats")
    if chances is not None and len(chances) != seats:
        raise AnswerError(f"chances has {len(chances)} numbers, but the game has {seats} seats")
    for points in (response.points, *(line.points for line in response.lines or ())):
        if points is not None and len(points) != seats:
            raise AnswerError(f"points has {len(points)} numbers, but the game has {seats} seats")
    return Evaluation(
        (response.evaluation, *values[1:]),
        response.best_move,
        policies=policies,
        lines=response.lines or (),
        samples=response.samples or 0,
        inherited=response.inherited or 0,
        source=response.source or "",
        is_cut=response.is_cut or False,
        comparisons=response.comparisons,
        reviewed=response.reviewed,
        chances=chances,
        points=response.points,
    )


def presentable(evaluation: Evaluation) -> Evaluation:
    """The evaluation as it may be shown: with lines of moves only, and with numbers that a page can read."""
    return replace(
        evaluation,
        lines=tuple(map(_line_of_moves, evaluation.lines)),
        samples=min(evaluation.samples, MOST_SAMPLES),
        inherited=min(evaluation.inherited, MOST_SAMPLES),
        source=evaluation.source[:MAX_NAME],
    )


def _line_of_moves(line: Candidate) -> Candidate:
    """A line that begins with its move, up to the first entry that is none."""
    known = line.pv if line.pv[:1] == (line.move,) else (line.move,)
    shown = takewhile(_is_shown, known[1:])
    return replace(line, visits=min(line.visits, MOST_SAMPLES), pv=(line.move, *shown))


def _is_shown(move: str) -> bool:
    """Whether a later entry of a line may be a move. Where the order is hidden, nobody can check it."""
    return is_move(move) and len(move) <= LONGEST_MOVE and move.isprintable()


def check_moves(evaluation: Evaluation, position: Position) -> None:
    """AnswerError if a line or a policy of an evaluation of ``position`` has an illegal move."""
    try:
        for line in evaluation.lines:
            _check_line(line, position)
        for seat, policy in enumerate(evaluation.policies or ()):
            for move in policy:
                position.check(move, seat)
    except ValueError as error:
        raise AnswerError(f"an illegal move in lines or policies: {error}") from None


def check_best_move(evaluation: Evaluation, position: Position) -> None:
    """AnswerError if the best move of an evaluation of ``position`` is illegal.

    Where seats move together, a bot may tell its own part only, which is legal if it is for one of the seats.
    """
    move, seats = evaluation.best_move, position.to_act
    try:
        if len(seats) > 1 and "/" not in move and any(_is_legal(move, position, seat) for seat in seats):
            return
        _check_move(move, position)
    except ValueError as error:
        raise AnswerError(f"illegal move {evaluation.best_move[:100]!r}: {error}") from None


def _is_legal(move: str, position: Position, seat: int) -> bool:
    try:
        position.check(move, seat)
    except ValueError:
        return False
    return True


def _check_line(line: Candidate, position: Position) -> None:
    """ValueError if a move is illegal. The later ones of a hidden order cannot be checked."""
    _check_move(line.move, position)
    if not hides_order(position):
        position.copy().play(*line.pv)


def _check_move(move: str, position: Position) -> None:
    seats = position.to_act
    for seat, part in zip(seats, parts_of(move, len(seats)), strict=True):
        position.check(part, seat)


def response_to(request: bgs.EvaluatePosition, evaluation: Evaluation) -> bgs.EvaluateResponse:
    """The response to ``request`` that contains ``evaluation``: all of it if the request names a number of lines."""
    response = bgs.EvaluateResponse(
        request.bgs_id,
        request.expected_ply,
        evaluation.best_move,
        evaluation.values[0],
        values=extra_values(evaluation),
        policies=evaluation.policies,
    )
    if request.lines is None:
        return response
    return replace(
        response,
        lines=evaluation.lines,
        samples=evaluation.samples,
        inherited=evaluation.inherited,
        source=evaluation.source,
        chances=evaluation.chances,
        points=evaluation.points,
        is_cut=evaluation.is_cut or None,
        comparisons=evaluation.comparisons,
        reviewed=evaluation.reviewed,
    )
