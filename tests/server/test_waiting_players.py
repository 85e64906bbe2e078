"""The order of players who wait for an opponent over UHP."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from protocols.uhp.remote.seek_criteria import SeekCriteria
from server.services.cluster.announcements import Announcements
from server.services.cluster.bus import Bus
from server.services.uhp.waiting_players import WaitingPlayers

ANYONE = SeekCriteria()


async def is_member(_: str) -> bool:
    return True


def nothing() -> None:
    """Is called when another server leaves."""


@given(
    st.lists(
        st.tuples(st.text("abc", min_size=8, max_size=8), st.integers(0, 3)), unique_by=lambda one: one[0]
    )
)
def test_who_came_first_has_waited_longest(games: Sequence[tuple[str, int]]) -> None:
    """Even if all games are created in the same millisecond, or the clock is set back."""
    players = WaitingPlayers(Announcements(Bus(), "here", is_member, nothing))
    for game_id, created_at in games:
        players.add(game_id, ANYONE, created_at)
    assert [seek.game_id for seek in players.suitable(ANYONE)] == [game_id for game_id, _ in games]
