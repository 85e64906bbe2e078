"""The engine's side: limits, simultaneous games and misuse. The rest is in the transcripts."""

import pytest

from engines import MOVES_AHEAD, Evaluation, Position, Variation
from protocols.bgs import engine
from protocols.bgs import messages as bgs
from protocols.bgs.codec import decode_response, encode
from protocols.bgs.config import ConfigError, Setup, read_config, write_config
from protocols.bgs.messages import EvaluationLimits
from protocols.session import Event, LocalError, Log, Send
from tests.protocols.toy import heap_config, open_heap


def heap_sessions(max_sessions: int = engine.MAX_SESSIONS) -> engine.EngineSessions:
    return engine.EngineSessions(open_heap, max_sessions)


def start(bgs_id: str) -> bgs.StartGameSession:
    return bgs.StartGameSession(bgs_id, "b", heap_config(9))


def test_session_257_is_refused_until_one_ends() -> None:
    sessions = heap_sessions()
    for number in range(256):
        assert len(sessions.request(start(f"g{number}"))) == 2
    error = "Maximum session limit reached (256)"
    refused = Send(encode(bgs.GameSessionStarted("g256", success=False, error=error)))
    assert sessions.request(start("g256")) == [refused]
    sessions.request(bgs.EndGameSession("g0"))
    assert len(sessions.request(start("g256"))) == 2
    assert len(sessions) == 256


def test_the_queue_of_a_session_is_limited() -> None:
    sessions = heap_sessions()
    sessions.request(start("g"))
    sessions.request(bgs.EvaluatePosition("g", 0))
    for _ in range(engine.MAX_QUEUED):
        assert sessions.request(bgs.EvaluatePosition("g", 0)) == []
    (refused,) = sessions.request(bgs.EvaluatePosition("g", 0))
    assert refused == Send(encode(bgs.EvaluateResponse("g", 0, success=False, error="Session g is busy")))
    assert sessions.is_busy


def test_a_move_to_compare_must_be_legal() -> None:
    sessions = heap_sessions()
    sessions.request(start("g"))
    (refused,) = sessions.request(bgs.EvaluatePosition("g", 0, played="7"))
    assert isinstance(refused, Send)
    answer = decode_response(refused.text)
    assert not answer.success
    assert answer.error.startswith("Failed to compare: ")
    assert not sessions.is_busy
    (asked,) = sessions.request(bgs.EvaluatePosition("g", 0, played="3"))
    assert asked == engine.Evaluate("g", EvaluationLimits(), following=("3",))


def test_moves_to_look_ahead_at_must_be_legal() -> None:
    sessions = heap_sessions()
    sessions.request(start("g"))
    (refused,) = sessions.request(bgs.EvaluatePosition("g", 0, played="3", then=("1", "7")))
    assert isinstance(refused, Send)
    answer = decode_response(refused.text)
    assert (answer.success, answer.error[:22]) == (False, "Failed to look ahead: ")
    (asked,) = sessions.request(bgs.EvaluatePosition("g", 0, played="3", then=("1", "2")))
    assert asked == engine.Evaluate("g", EvaluationLimits(), following=("3", "1", "2"))


def test_more_moves_than_help_are_not_read() -> None:
    sessions = heap_sessions()
    sessions.request(start("g"))
    (asked,) = sessions.request(
        bgs.EvaluatePosition("g", 0, played="1", then=("1",) * 5 + ("no move",) * 1000)
    )
    assert asked == engine.Evaluate("g", EvaluationLimits(), following=("1",) * MOVES_AHEAD)


def test_the_driver_gets_a_copy_of_the_position() -> None:
    sessions = heap_sessions()
    opened, _ = sessions.request(start("g"))
    assert isinstance(opened, engine.SessionOpened)
    opened.position.play("3")
    (evaluate,) = sessions.request(bgs.EvaluatePosition("g", 0))
    assert evaluate == engine.Evaluate("g", EvaluationLimits())


@pytest.mark.parametrize("line", ["x" * 262_145, "ä" * 131_073])
def test_an_oversized_line_is_logged(line: str) -> None:
    (log,) = heap_sessions().receive(line)
    assert log == Log("ignored a line of more than 262144 bytes")


def test_a_line_of_262144_bytes_is_read() -> None:
    line = '{"type":"end_game_session","bgsId":"ä"}'
    (sent,) = heap_sessions().receive(line + " " * (262_143 - len(line)))
    assert isinstance(sent, Send)


@pytest.mark.parametrize(
    "event", [engine.Evaluated("g", Evaluation((0.0, 0.0), "1")), engine.EvaluationFailed("g", "no"), Event()]
)
def test_unexpected_results_are_misuse(event: Event) -> None:
    sessions = heap_sessions()
    sessions.request(start("g"))
    with pytest.raises(LocalError):
        sessions.notify(event)


def test_the_largest_start_fits_a_line() -> None:
    edges = [[[x, y], [x + 1, y]] for x in range(63) for y in range(64)]
    rows = [[[x, y], [x, y + 1]] for x in range(64) for y in range(63)]
    config: bgs.JsonObject = {
        "width": 64,
        "height": 64,
        "maxTurns": 1023,
        "mudModel": "rust",
        "walls": edges[64:] + rows[64:],
        "mud": [[*edge, 15] for edge in edges[:64] + rows[:64]],
        "cheese": [[x, y] for x in range(64) for y in range(64)],
        "starts": [[63, 63], [0, 0]],
    }
    line = encode(bgs.StartGameSession("g" * 64, "b", {"game": "pyrat", "variant": "asymmetric", **config}))
    assert 150_000 < len(line) < engine.MAX_LINE_BYTES
    (answer,) = engine.EngineSessions(Position).receive(line)
    assert isinstance(answer, Send)
    assert "no player can reach the cheese" in answer.text


def test_a_simultaneous_game_of_the_core() -> None:
    """Joint moves, and values next to policies."""
    sessions = engine.EngineSessions(Position)
    position = Position("toy-goofspiel")
    config = write_config(Setup("toy-goofspiel", "standard", position.config, EvaluationLimits(samples=7)))
    opened, _ = sessions.request(bgs.StartGameSession("g", "b", config))
    assert isinstance(opened, engine.SessionOpened)
    assert opened.limits == EvaluationLimits(samples=7)
    sessions.request(bgs.EvaluatePosition("g", 0))
    left, right = (position.legal(seat)[0] for seat in (0, 1))
    policies = ({left: 1.0}, {right: 1.0})
    joint = f"{left}/{right}"
    (respond,) = sessions.notify(engine.Evaluated("g", Evaluation((0.5, -0.5), joint, policies)))
    assert respond == Send(
        encode(bgs.EvaluateResponse("g", 0, joint, 0.5, values=(0.5, -0.5), policies=policies))
    )
    advance, answer = sessions.request(bgs.ApplyMove("g", 0, joint))
    assert advance == engine.Advance("g", joint)
    assert answer == Send(encode(bgs.MoveApplied("g", 1)))
    (refused,) = sessions.request(bgs.ApplyMove("g", 1, "?"))
    assert isinstance(refused, Send)
    applied = decode_response(refused.text)
    assert isinstance(applied, bgs.MoveApplied)
    assert (applied.success, applied.ply) == (False, 1)


def test_an_unknown_game_is_refused_with_the_rules_message() -> None:
    sessions = engine.EngineSessions(Position)
    (respond,) = sessions.request(bgs.StartGameSession("g", "b", {"game": "chess", "variant": "960"}))
    assert isinstance(respond, Send)
    started = decode_response(respond.text)
    assert isinstance(started, bgs.GameSessionStarted)
    assert "chess" in started.error


SETUPS = [
    (
        Setup(
            "wallwars", "classic", {"boardWidth": 8, "boardHeight": 8, "initialState": {}}, EvaluationLimits()
        ),
        {"variant": "classic", "boardWidth": 8, "boardHeight": 8, "initialState": {}},
    ),
    (
        Setup("hive", "Base", {"gameString": "Base"}, EvaluationLimits(10, 20)),
        {"game": "hive", "variant": "Base", "gameString": "Base", "limits": {"samples": 10, "timeMs": 20}},
    ),
    (
        Setup("hive", "Base", {"gameString": "Base"}, EvaluationLimits(), Variation(0.25, 2**63 - 1)),
        {
            "game": "hive",
            "variant": "Base",
            "gameString": "Base",
            "variation": {"noise": 0.25, "seed": 9223372036854775807},
        },
    ),
    (
        Setup("hive", "Base", {}, EvaluationLimits(), Variation(0, 0, 0.5)),
        {"game": "hive", "variant": "Base", "variation": {"noise": 0, "seed": 0, "networkNoise": 0.5}},
    ),
]


@pytest.mark.parametrize(("setup", "config"), SETUPS)
def test_configs_both_ways(setup: Setup, config: bgs.JsonObject) -> None:
    assert write_config(setup) == config
    assert list(write_config(setup)) == list(config)
    assert read_config(config) == setup


@pytest.mark.parametrize(
    "variation",
    [
        {},
        0.5,
        {"noise": 2, "seed": 1},
        {"noise": 0.1},
        {"noise": 0.1, "seed": 2**63},
        {"noise": "1", "seed": 1},
        {"noise": 0.1, "seed": 1, "networkNoise": 1.5},
        {"noise": 0.1, "seed": 1, "networkNoise": None},
    ],
)
def test_a_variation_that_is_none_is_refused(variation: object) -> None:
    with pytest.raises(
        ConfigError,
        match=r"variation must be an object with noise and networkNoise from 0 to 1 and seed from 0",
    ):
        read_config({"variant": "classic", "variation": variation})
