"""Conversion of evaluations to responses and back."""

from dataclasses import fields

import pytest

from engines import Candidate, Comparison, Evaluation
from protocols.bgs import messages as bgs
from protocols.bgs.answers import evaluation_of, granted, response_to
from protocols.bgs.codec import decode_response, encode
from protocols.bgs.effects import AnswerError, RefusalError

REQUEST = bgs.EvaluatePosition("g", 2)
JOINT = ({"UP": 1.0}, {"LEFT": 1.0})


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (Evaluation((0.5, -0.5), "x"), Evaluation((0.5, -0.5), "x")),
        (Evaluation((0.5, -0.4), "x"), Evaluation((0.5, -0.4), "x")),
        (Evaluation((0.5, 0.2, -0.7), "x"), Evaluation((0.5, 0.2, -0.7), "x")),
        (Evaluation((0.5, -0.25), "UP/LEFT", JOINT), Evaluation((0.5, -0.25), "UP/LEFT", JOINT)),
        (
            Evaluation((0.5, -0.5), "x", samples=9, inherited=4, source="native", is_cut=True),
            Evaluation((0.5, -0.5), "x"),
        ),
    ],
)
def test_evaluations_survive_the_wire(said: Evaluation, heard: Evaluation) -> None:
    response = decode_response(encode(response_to(REQUEST, said)))
    assert evaluation_of(granted(REQUEST, response, bgs.EvaluateResponse), len(said.values)) == heard


def test_all_of_an_evaluation_survives_if_lines_are_asked_for() -> None:
    lines = (Candidate("x", 5, 0.5, ("x", "y"), 0.7),)
    said = Evaluation(
        (0.5, -0.5),
        "x",
        JOINT,
        lines,
        9,
        4,
        "native",
        is_cut=True,
        chances=(0.7, 0.3),
        points=(7.5, 4.0),
        comparisons=(Comparison("x", 0.1, 2.5, 0.5),),
        reviewed=Comparison("w", 0.2, None),
    )
    assert all(getattr(said, one.name) != one.default for one in fields(said)), "a member is left out"
    response = decode_response(encode(response_to(bgs.EvaluatePosition("g", 2, lines=1), said)))
    assert isinstance(response, bgs.EvaluateResponse)
    assert evaluation_of(response, 2) == said


def test_the_first_seats_value_is_the_evaluation() -> None:
    response = bgs.EvaluateResponse("g", 2, "x", 0.5, values=(0.1, 0.2, 0.3))
    assert evaluation_of(response, 3).values == (0.5, 0.2, 0.3)


def test_without_values_the_other_seats_share_the_rest_of_the_winning_chance() -> None:
    response = bgs.EvaluateResponse("g", 2, "x", 0.4)
    assert evaluation_of(response, 2).values == (0.4, -0.4)
    chances = [(value + 1) / 2 for value in evaluation_of(response, 4).values]
    assert chances == pytest.approx([0.7, 0.1, 0.1, 0.1])


def test_a_value_for_each_seat_is_needed() -> None:
    response = bgs.EvaluateResponse("g", 2, "x", 0.5, values=(0.5, -0.5))
    with pytest.raises(AnswerError, match="values has 2 numbers, but the game has 3 seats"):
        evaluation_of(response, 3)


def test_values_implied_by_the_first_are_not_sent() -> None:
    assert response_to(REQUEST, Evaluation((0.5, -0.5), "x")).values is None


@pytest.mark.parametrize(
    ("request_", "response", "error", "text"),
    [
        (REQUEST, bgs.EvaluateResponse("g", 3, "x"), AnswerError, "at ply 3 instead of 2"),
        (bgs.ApplyMove("g", 2, "x"), bgs.MoveApplied("g", 2), AnswerError, "at ply 2 instead of 3"),
        (bgs.ApplyMove("g", 2, "!1"), bgs.MoveApplied("g", 3), AnswerError, "at ply 3 instead of 2"),
        (
            REQUEST,
            bgs.MoveApplied("g", 2),
            AnswerError,
            "the analyst answered evaluate_position with move_applied",
        ),
        (REQUEST, bgs.refusal(REQUEST, "no", 9), RefusalError, "^no$"),
        (REQUEST, bgs.refusal(REQUEST, ""), RefusalError, "without a reason"),
    ],
)
def test_unusable_responses_raise(
    request_: bgs.Request, response: bgs.Response, error: type[AnswerError], text: str
) -> None:
    with pytest.raises(AnswerError, match=text) as caught:
        granted(request_, response, bgs.RESPONSE_OF[type(request_)])
    assert type(caught.value) is error


def test_a_refused_end_counts_as_success() -> None:
    request = bgs.EndGameSession("g")
    refused = bgs.refusal(request, "no such session")
    assert granted(request, refused, bgs.GameSessionEnded) is refused
