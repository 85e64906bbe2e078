"""The log of ``plyhouse arena --resume``: an interrupted match ends as if it had not been interrupted."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.adjudication import Adjudication
from engines.arena import Match, Played, play_match
from engines.arena_game import Fault
from engines.bots import Bot
from engines.opening_suite import Opening
from engines.pool import Limits
from programs.arena.log import BadLog, MatchLog
from programs.arena.report import report
from programs.arena.run import play_combinations, round_robin

Json = dict[str, Any]


def match(bots: str, games: int = 2) -> Match:
    return Match(
        "toy-draw", [Bot.parse(text) for text in bots.split(",")], games, Limits(5), "standard", seed=4
    )


THREE = match("random,montecarlo,random")


def result(every: Match, seats: int, log: Path | None, jobs: int = 1) -> Json:
    found = dict(
        json.loads(report(play_combinations(every, round_robin(len(every.bots), seats), jobs, None, log)))
    )
    assert found.pop("secondsPerGame") > 0
    return found


def rows(log: Path) -> list[Json]:
    return [{**json.loads(line), "seconds": 0} for line in log.read_text().splitlines()]


@pytest.mark.parametrize("seats", [2, 3])
def test_a_match_continues_after_an_interruption_anywhere(tmp_path: Path, seats: int) -> None:
    whole, cut = tmp_path / "whole.log", tmp_path / "cut.log"
    expected = result(THREE, seats, whole)
    assert expected == result(THREE, seats, None)
    content = whole.read_bytes()
    ends = [0, *(at + 1 for at, byte in enumerate(content) if byte == ord("\n"))]
    near_ends = {end + more for end in ends for more in (-1, 0, 1)}
    for length in sorted(near_ends | set(range(0, len(content), 101))):
        if not 0 <= length <= len(content):
            continue
        cut.write_bytes(content[:length])
        assert result(THREE, seats, cut) == expected, length
        assert rows(cut) == rows(whole)


def test_games_in_the_log_are_not_played_again(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    result(THREE, 2, log)
    before = log.read_bytes()
    result(THREE, 2, log)
    assert log.read_bytes() == before


def test_a_match_is_continued_with_more_games_or_more_jobs(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    result(match("random,montecarlo"), 2, log)
    longer = match("random,montecarlo", games=9)
    assert result(longer, 2, log, jobs=3) == result(longer, 2, None)
    shorter = match("random,montecarlo", games=3)
    assert result(shorter, 2, log) == result(shorter, 2, None)


def test_all_games_are_recorded(tmp_path: Path) -> None:
    log, record, again = tmp_path / "match.log", tmp_path / "games.txt", tmp_path / "again.txt"
    play_combinations(THREE, round_robin(3, 3), 1, record, log)
    log.write_bytes(b"\n".join(log.read_bytes().split(b"\n")[:2]) + b"\n")
    play_combinations(THREE, round_robin(3, 3), 1, again, log)
    assert again.read_text() == record.read_text() != ""


@pytest.mark.parametrize(
    ("other", "seats", "difference"),
    [
        (replace(THREE, seed=5), 2, "seed is 4 there, 5 here"),
        (replace(THREE, limits=Limits(6)), 2, "samples is 5 there, 6 here"),
        (replace(THREE, limits=Limits(None, 5)), 2, "samples is 5 there, null here"),
        (replace(THREE, opening_plies=1), 2, "openingPlies is null there, 1 here"),
        (replace(THREE, adjudication=Adjudication(plies=9)), 2, 'adjudication is null there, "plies=9" here'),
        (replace(THREE, openings=[Opening((), {"seed": 1})]), 2, "openings is null there, "),
        (replace(THREE, game="toy-goofspiel"), 2, 'game is "toy-draw" there, "toy-goofspiel" here'),
        (match("montecarlo,random,random"), 2, "bots is "),
        (THREE, 3, "seats is 2 there, 3 here"),
    ],
)
def test_the_log_of_another_match_is_left_alone(
    tmp_path: Path, other: Match, seats: int, difference: str
) -> None:
    log = tmp_path / "match.log"
    result(THREE, 2, log)
    before = log.read_bytes()
    with pytest.raises(BadLog, match="the log of another match") as refused:
        play_combinations(other, round_robin(3, seats), 1, None, log)
    assert difference in str(refused.value)
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "old", "new", "why"),
    [
        (0, '{"format"', "precious", "line 1: this is not a log"),
        (0, "plyhouse arena 1", "plyhouse arena 0", "is not a log of plyhouse arena"),
        (2, '{"bots"', "{", "line 3: there is no game"),
        (2, '"number": 1', '"number": "1"', "line 3: there is no game"),
        (2, '"moves": [', '"moves": ["castle", ', "line 3: the game cannot be replayed"),
        (2, '"moves"', '"mooves"', "line 3: the game cannot be replayed"),
        (2, '"seconds": ', '"seconds": "long", "s": ', "line 3: the game cannot be replayed"),
        (2, '"points": [', '"points": [2, ', "line 3: the result is not that of the moves"),
    ],
)
def test_a_damaged_log_is_left_alone(tmp_path: Path, line: int, old: str, new: str, why: str) -> None:
    log = tmp_path / "match.log"
    result(THREE, 2, log)
    lines = log.read_text().splitlines(keepends=True)
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new)
    log.write_text("".join(lines))
    with pytest.raises(BadLog, match=why):
        play_combinations(THREE, round_robin(3, 2), 1, None, log)
    assert log.read_text() == "".join(lines)


def test_a_file_without_lines_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "thesis.txt"
    log.write_text("precious")
    with pytest.raises(BadLog, match="not a log"):
        play_combinations(THREE, round_robin(3, 2), 1, None, log)
    assert log.read_text() == "precious"


def test_a_log_keeps_failures_and_adjudications(tmp_path: Path) -> None:
    early = replace(match("random,random"), adjudication=Adjudication(plies=3))
    games = [replace(game, faults=(Fault(1, "crash"),), note="It fell.") for game in play_match(early, 1)]
    assert [game.reason for game in games] == ["adjudicated: ply limit"] * 2
    with MatchLog(tmp_path / "match.log", early, 2) as log:
        for number, game in enumerate(games):
            log.append(["random_1", "random_2"], early, number, game)
    logged = MatchLog(tmp_path / "match.log", early, 2).games(["random_1", "random_2"], early)
    assert [facts(logged[number]) for number in (0, 1)] == [facts(game) for game in games]


def facts(game: Played) -> tuple[object, ...]:
    return game.values, game.takes, game.moves, game.reason, game.note, game.faults
