"""The text protocol: golden sessions of both sides, and laws of boards, recovery and arbitrary input."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from engines.bots import random_move
from protocols.pyrat.text import bot as b
from protocols.pyrat.text import host as text_host
from protocols.pyrat.text.board import BotTimes, GameDescription, board_lines, recovery_lines
from protocols.pyrat.text.lines import DIRECTIONS, BadLine
from protocols.pyrat.text.options import BotIdentity, BotOption, BotOptionType, read_option, write_option
from protocols.pyrat.text.recovery import recovered
from protocols.session import LocalError, Send
from tests.protocols.pyrat.transcripts_text import (
    START,
    BotTranscript,
    HostTranscript,
    small_start,
    text_bot,
)
from tests.protocols.transcripts import lines_of, names, replay

TIMES = BotTimes(100, None, 5)


@pytest.mark.parametrize("name", names("pyrat/text-bot-*.txt"))
def test_golden_sessions_of_our_bot(name: str) -> None:
    assert replay(BotTranscript(), lines_of(name)) == lines_of(name)


@pytest.mark.parametrize("name", names("pyrat/text-host-*.txt"))
def test_golden_sessions_of_our_host(name: str) -> None:
    assert replay(HostTranscript(), lines_of(name)) == lines_of(name)


def read(lines: list[str]) -> GameDescription:
    setup = GameDescription()
    for line in lines:
        keyword, *words = line.split()
        setup.read(keyword, words)
    return setup


@pytest.mark.parametrize("variant", ["tiny", "huge", "open", "asymmetric"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_board_is_read_as_it_was_written(variant: str, seat: int) -> None:
    start = Position("pyrat", variant, {"seed": 5, "mudModel": "doc"})
    setup = read(board_lines(start, seat, TIMES))
    assert setup.start(start.config["maxTurns"], "doc").key == start.key
    assert (setup.seat, setup.times) == (seat, TIMES)


@given(st.integers(0, 10_000), st.integers(0, 149))
def test_a_recovered_game_is_the_same_position(seed: int, turns: int) -> None:
    rng = random.Random(seed)
    position = Position("pyrat", "tiny", {"seed": seed})
    for _ in range(turns):
        if position.to_act:
            position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
    if position.to_act:
        found = recovered(read(recovery_lines(position, 1, TIMES)), position.config["maxTurns"], "rust")
        assert found.key == position.key


def test_a_recovery_that_does_not_fit_starts_at_the_current_cells() -> None:
    lines = recovery_lines(small_start(), 0, TIMES)
    lines = [line for line in lines if line.split()[0] not in ("moves_history", "current_position", "score")]
    told = ["moves_history UP/LEFT", "current_position rat:(2,0) python:(0,2)", "score rat:2 python:0"]
    view = recovered(read([*lines, *told]), 6, "rust").view()
    assert [player["cell"] for player in view["players"]] == [[2, 0], [0, 2]]
    assert view["maxTurns"] == 5


@pytest.mark.parametrize(
    "option",
    [
        BotOption("Search Depth", BotOptionType.SPIN, "3", (1, 10)),
        BotOption("Style", BotOptionType.COMBO, "Very calm", choices=("Very calm", "Wild")),
        BotOption("Debug", BotOptionType.CHECK, "false"),
        BotOption("Book", BotOptionType.STRING),
        BotOption("Clear", BotOptionType.BUTTON),
    ],
)
def test_an_option_is_read_as_it_was_written(option: BotOption) -> None:
    keyword, *words = write_option(option).split()
    assert (keyword, read_option(words)) == ("option", option)


def test_options_the_bot_does_not_have() -> None:
    host = text_host.BotHost()
    host.greet()
    for line in ("option name Debug type check default false", "pyratready"):
        host.receive(line)
    for name, value, text in (("Depth", "3", "the bot has Debug"), ("Debug", "on", "true or false")):
        with pytest.raises(BadLine, match=text):
            host.set_options([(name, value)])


def test_a_bot_that_writes_too_much_has_failed() -> None:
    host = text_host.BotHost()
    host.greet()
    effects = [effect for _ in range(text_host.MAX_LINES + 1) for effect in host.receive("info depth 1")]
    assert effects[-1] == text_host.TextBotFailed(text_host.Cause.FLOOD, "has written too much")
    assert host.receive("pyratready") == []


def test_requests_out_of_order_are_our_own_mistake() -> None:
    host = text_host.BotHost()
    with pytest.raises(LocalError, match="go"):
        host.go([])


def test_what_bots_are_told_if_they_have_options_for_it() -> None:
    start = Position("pyrat", "medium", {**START, "mudModel": "doc"})
    options = {name.lower(): BotOption(name, BotOptionType.STRING) for name in ("MaxTurns", "MudModel")}
    told = text_host.options_for(start, BotIdentity("x", "y", options))
    assert told == [("MaxTurns", "6"), ("MudModel", "doc")]
    assert text_host.options_for(start, BotIdentity()) == []


VOCABULARY = """
pyrat isready setoption debug newgame maze walls mud cheese player1 player2 youare timecontrol startpreprocessing
moves go stop timeout ready? gameover startpostprocessing recover moves_history current_position score rat python
name value preprocessing height:3 width:3 (0,0) (0,0)-(1,0) (2,1)-(2,2):2 rat:UP python:LEFT rat:(0,0) python:(1,1)
UP/LEFT move:50 rat:1 id option type spin default min 1 var pyratready preprocessingdone move ready info readyok
UP RIGHT DOWN LEFT STAY
"""
WORDS = st.sampled_from(VOCABULARY.split())
LINES = st.one_of(st.lists(WORDS, max_size=5).map(" ".join), st.text(max_size=30))


@given(st.lists(LINES, max_size=30))
def test_no_line_of_a_host_breaks_our_bot(lines: list[str]) -> None:
    bot = text_bot()
    for line in lines:
        bot.receive(line)
        assert bot.receive("isready") == [Send("readyok")]
    opening = ["pyrat", "newgame", *board_lines(small_start(), 0, BotTimes()), "go"]
    effects = [effect for line in opening for effect in bot.receive(line)]
    think = effects[-1]
    assert isinstance(think, b.Think)
    assert bot.notify(b.Thought(think.number, "UP")) == [Send("move UP")]


@given(st.lists(LINES, max_size=30))
def test_no_line_of_a_bot_breaks_our_host(lines: list[str]) -> None:
    host = text_host.BotHost()
    host.greet()
    host.receive("pyratready")
    host.begin(small_start(), 0, TIMES)
    host.notify(text_host.TimeUp())
    for _ in range(3):
        host.go([text_host.BEFORE_FIRST])
        ends = [effect for line in lines for effect in host.receive(line)]
        if host.state is text_host.TextHostState.THINKING:
            host.notify(text_host.TimeUp())
            ends += host.notify(text_host.TimeUp())
            assert host.receive("ready") == [text_host.BotReady()]
        (move,) = [end for end in ends if isinstance(end, text_host.DirectionChosen)]
        assert move.direction in DIRECTIONS
