"""Game ids, as commands and URLs take them."""

import re

from server.domain.tokens import new_game_id


def test_an_id_is_no_option_of_a_command_and_needs_no_quoting() -> None:
    assert all(re.fullmatch("[A-Za-z0-9]{8}", new_game_id()) for _ in range(1000))
