"""How soon clients connect again."""

from protocols.reconnecting import SILENT, SPREAD_SECONDS, STOPPING, Pauses, first_pause


def test_pauses_double_up_to_the_longest_and_begin_again() -> None:
    pauses = Pauses(0.5, 3.0)
    assert [pauses.next() for _ in range(5)] == [0.5, 1.0, 2.0, 3.0, 3.0]
    pauses.restart()
    assert pauses.next() == 0.5


def test_the_clients_of_a_server_that_stops_are_spread() -> None:
    assert [first_pause(code, None, 9.0, 0.5) for code in STOPPING] == [SPREAD_SECONDS / 2] * 2
    assert first_pause(None, SILENT, 9.0, 0.5) == 0.0
    assert first_pause(1006, None, 9.0, 0.5) == 9.0
