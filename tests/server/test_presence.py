"""Presence: the people who are here add up, whatever comes and goes at which server."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from server.services.cluster.announcements import AnnouncementChange
from server.services.cluster.bus import Bus
from server.services.cluster.departures import Departures
from server.services.cluster.presence import Presence

GAMES = ("a", "b")

SEATS = st.sampled_from([None, 0, 1])

SOCKETS = st.tuples(st.just("here"), st.sampled_from(GAMES), SEATS)
LEAVES = st.tuples(st.just("leaves"), st.integers(0, 20), st.none())
ELSEWHERE = st.tuples(
    st.sampled_from(["two", "three"]),
    st.sampled_from(GAMES),
    st.none() | st.tuples(st.sets(st.integers(0, 1)), st.integers(0, 3)),
)


class Told:
    """Announcements that a test makes for other servers."""

    tell: Callable[[AnnouncementChange], Awaitable[None]]

    def listen(self, kind: str, tell: Callable[[AnnouncementChange], Awaitable[None]]) -> None:
        """Keeps what to call."""
        assert kind == "presence"
        self.tell = tell

    async def put(self, kind: str, key: str, value: Any) -> None:
        """What this server announces is not looked at."""

    async def withdraw(self, kind: str, key: str) -> None:
        """Neither is this."""


@given(st.lists(SOCKETS | LEAVES | ELSEWHERE, max_size=30))
async def test_people_are_the_players_and_spectators_of_all_games(steps: list[tuple[str, Any, Any]]) -> None:
    told = Told()
    presence = Presence(Bus(), told, Departures(60_000, lambda: 0))  # type: ignore[arg-type]
    sockets: list[AsyncExitStack] = []
    for who, what, how in steps:
        if who == "here":
            sockets.append(AsyncExitStack())
            await sockets[-1].enter_async_context(presence.present(what, how))
        elif who == "leaves":
            if what < len(sockets):
                await sockets.pop(what).aclose()
        else:
            value = None if how is None else {"here": sorted(how[0]), "away": [], "spectators": how[1]}
            await told.tell(AnnouncementChange(who, what, value))
        expected = sum(len(presence.attendance(game).here) + presence.spectators(game) for game in GAMES)
        assert presence.people == expected
    for socket in sockets:
        await socket.aclose()
