"""Matches of model A: a match lasts as long as it has connections, whoever else leaves the game."""

import asyncio
from contextlib import ExitStack

from server.services.uhp.engine_matches import EngineMatches


def test_a_refused_leader_that_leaves_late_does_not_end_a_newer_match() -> None:
    matches = EngineMatches()
    with ExitStack() as engine:
        with ExitStack() as refused:
            with matches.at("g7Kd") as old, old.led(asyncio.Event()):
                assert refused.enter_context(matches.at("g7Kd")).is_led
            newer = engine.enter_context(matches.at("g7Kd"))
            newer.sit(0, asyncio.Event())
            assert newer is not old
        with matches.at("g7Kd") as found:
            assert found is newer


def test_a_match_without_connections_is_forgotten() -> None:
    matches, engine = EngineMatches(), asyncio.Event()
    with matches.at("g7Kd") as old:
        old.sit(0, engine)
        with matches.at("g7Kd") as same:
            assert same is old
        assert old.leave(0, engine)
    with matches.at("g7Kd") as newer:
        assert newer is not old
