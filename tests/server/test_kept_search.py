"""The search that a program keeps from move to move."""

from engines import Position, Search
from engines.bots import Bot
from programs.kept_search import KeptSearch


def test_a_search_is_kept_in_one_game_with_the_same_settings() -> None:
    position, opened = Position("hive", None, {}), list[Search]()
    first, second = position.legal_moves()[:2]

    def start() -> Search:
        opened.append(Bot.parse("native").open_search(position, 0)[0])
        return opened[-1]

    kept = KeptSearch()
    assert kept.at([], ("a",), start) is kept.at([first], ("a",), start) is opened[0]
    assert kept.at([first], ("b",), start) is opened[1]  # other settings
    assert kept.at([second], ("b",), start) is opened[2]  # another game
    assert kept.at([second], ("b",), start) is opened[2]
    kept.forget()
    assert kept.at([second], ("b",), start) is opened[3]
    assert len(opened) == 4
