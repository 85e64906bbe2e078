"""The engine's side: limits, simultaneous games and misuse. The rest is in the transcripts."""

import pytest

from engines import BadNotation, Position
from protocols.bgs import engine as en
from protocols.bgs import messages as m
from protocols.bgs.config import Limits, Setup, read_config, write_config
from protocols.session import Event, LocalError, Log, Send
from tests.protocols.toy import NoMoveError, heap_config, open_heap


def heap_sessions(max_sessions: int = en.MAX_SESSIONS) -> en.EngineSessions:
    return en.EngineSessions(open_heap, NoMoveError, max_sessions)


def start(bgs_id: str) -> m.StartGameSession:
    return m.StartGameSession(bgs_id, "b", heap_config(9))


def test_session_257_is_refused_until_one_ends() -> None:
    sessions = heap_sessions()
    for number in range(256):
        assert len(sessions.request(start(f"g{number}"))) == 2
    error = "Maximum session limit reached (256)"
    refused = en.Respond(m.GameSessionStarted("g256", success=False, error=error))
    assert sessions.request(start("g256")) == [refused]
    sessions.request(m.EndGameSession("g0"))
    assert len(sessions.request(start("g256"))) == 2
    assert len(sessions) == 256


def test_a_queue_has_an_end() -> None:
    sessions = heap_sessions()
    sessions.request(start("g"))
    sessions.request(m.EvaluatePosition("g", 0))
    for _ in range(en.MAX_QUEUED):
        assert sessions.request(m.EvaluatePosition("g", 0)) == []
    (refused,) = sessions.request(m.EvaluatePosition("g", 0))
    assert refused == en.Respond(m.EvaluateResponse("g", 0, success=False, error="Session g is busy"))
    assert not sessions.is_idle


def test_the_drivers_position_is_its_own() -> None:
    sessions = heap_sessions()
    opened, _ = sessions.request(start("g"))
    assert isinstance(opened, en.SessionOpened)
    opened.position.play("3")
    (evaluate,) = sessions.request(m.EvaluatePosition("g", 0))
    assert evaluate == en.Evaluate("g", Limits())


@pytest.mark.parametrize("line", ["x" * 65_537, "ä" * 32_769])
def test_a_line_too_long_is_reported(line: str) -> None:
    (log,) = en.EngineSession(heap_sessions()).receive(line)
    assert log == Log("ignored a line of more than 65536 bytes")


def test_a_line_of_65536_bytes_is_read() -> None:
    line = '{"type":"end_game_session","bgsId":"ä"}'
    (sent,) = en.EngineSession(heap_sessions()).receive(line + " " * (65_535 - len(line)))
    assert isinstance(sent, Send)


@pytest.mark.parametrize("event", [en.Evaluated("g", 0.0, "1"), en.EvaluationFailed("g", "no"), Event()])
def test_results_nobody_asked_for(event: Event) -> None:
    sessions = heap_sessions()
    sessions.request(start("g"))
    with pytest.raises(LocalError):
        sessions.notify(event)


def test_a_simultaneous_game_of_the_core() -> None:
    """Joint moves, and values beside policies."""
    sessions = en.EngineSessions(Position, BadNotation)
    position = Position("toy-goofspiel")
    config = write_config(Setup("toy-goofspiel", "standard", position.config, Limits(samples=7)))
    opened, _ = sessions.request(m.StartGameSession("g", "b", config))
    assert isinstance(opened, en.SessionOpened)
    assert opened.limits == Limits(samples=7)
    sessions.request(m.EvaluatePosition("g", 0))
    left, right = (position.legal(seat)[0] for seat in (0, 1))
    policies = ({left: 1.0}, {right: 1.0})
    joint = f"{left}/{right}"
    (respond,) = sessions.notify(en.Evaluated("g", 0.5, joint, (0.5, -0.5), policies))
    assert respond == en.Respond(
        m.EvaluateResponse("g", 0, joint, 0.5, values=(0.5, -0.5), policies=policies)
    )
    advance, applied = sessions.request(m.ApplyMove("g", 0, joint))
    assert advance == en.Advance("g", joint)
    assert applied == en.Respond(m.MoveApplied("g", 1))
    (refused,) = sessions.request(m.ApplyMove("g", 1, "?"))
    assert isinstance(refused, en.Respond)
    assert isinstance(refused.message, m.MoveApplied)
    assert (refused.message.success, refused.message.ply) == (False, 1)


def test_an_unknown_game_is_refused_in_the_rules_words() -> None:
    sessions = en.EngineSessions(Position, BadNotation)
    (respond,) = sessions.request(m.StartGameSession("g", "b", {"game": "chess", "variant": "960"}))
    assert isinstance(respond, en.Respond)
    assert isinstance(respond.message, m.GameSessionStarted)
    assert "chess" in respond.message.error


SETUPS = [
    (
        Setup("wallwars", "classic", {"boardWidth": 8, "boardHeight": 8, "initialState": {}}, Limits()),
        {"variant": "classic", "boardWidth": 8, "boardHeight": 8, "initialState": {}},
    ),
    (
        Setup("hive", "Base", {"gameString": "Base"}, Limits(10, 20)),
        {"game": "hive", "variant": "Base", "gameString": "Base", "limits": {"samples": 10, "timeMs": 20}},
    ),
]


@pytest.mark.parametrize(("setup", "config"), SETUPS)
def test_configs_both_ways(setup: Setup, config: m.JsonObject) -> None:
    assert write_config(setup) == config
    assert list(write_config(setup)) == list(config)
    assert read_config(config) == setup
