"""Whole games by the keyboard alone, by somebody who hears the page: names, roles and live regions, and no pictures."""

import re

from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Server
from tests.web.test_boards import Game, new_game

ARROWS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")


class Listener:
    """A person at the keyboard, who knows what has the focus and what the live regions say."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def heard(self) -> str:
        """The role and the name of what has the focus, such as ``button "Cat to b4"``."""
        focus = self.page.locator(":focus")
        return focus.last.aria_snapshot().split("\n")[0].removeprefix("- ") if focus.count() else ""

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, wanted: str) -> None:
        """Presses Tab until a name is heard."""
        for _ in range(120):
            if re.search(wanted, self.heard()):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not reach {wanted}")

    def find(self, wanted: str) -> None:
        """Explores the board with the arrow keys until a name is heard."""
        known: dict[str, dict[str, str]] = {}
        heard = self.heard()
        while not re.search(wanted, heard):
            key = first_key(known, heard)
            self.press(key)
            before, heard = heard, self.heard()
            known.setdefault(before, {})[key] = heard

    def is_told(self, what: str | re.Pattern[str]) -> None:
        """Waits until a live region says something."""
        live = self.page.locator("[aria-live=polite], [role=status]").filter(has_text=what)
        expect(live.first).to_be_attached()


def first_key(known: dict[str, dict[str, str]], start: str) -> str:
    """The first key on a shortest way to something untried; ``known``: what each key has led to from each name."""
    queue, seen = [(start, "")], {start}
    for name, first in queue:
        for key in ARROWS:
            after = known.get(name, {}).get(key)
            if after is None:
                return first or key
            if after not in seen:
                seen.add(after)
                queue.append((after, first or key))
    raise AssertionError(f"the arrow keys reach only {sorted(seen)}")


def sit_down(open_page: OpenPage, created: Game) -> list[Listener]:
    """The players of a new game of two, who have heard that it has begun."""
    listeners = []
    for seat in range(2):
        page = open_page()
        page.goto(created.path(seat))
        expect(page.get_by_role("group", name="Board").first).to_be_attached()
        listeners.append(Listener(page))
    listeners[0].is_told("Your turn.")
    return listeners


def test_wallwars(open_page: OpenPage, server: Server) -> None:
    size = {"boardWidth": 4, "boardHeight": 4}
    game = new_game(server, "wallwars", config=size)
    one, other = sit_down(open_page, game)
    turns = [("Cat to b4", "Cat to c4"), ("Cat to c1", "Cat to d1")]
    for turn in turns:
        for action in turn:
            one.tab_to('button "(Cat|Mouse|Wall)')
            one.find(f'button "{action}"')
            one.press("Enter")
        other.is_told(f"Player 1: {turn[-1]}.")
        if turn is not turns[-1]:
            pass_on(other)
            one.is_told("Player 2: Pass.")
            game.play(0, "Cc2", "---")
            one.is_told("Player 2: Pass.")
    one.is_told("You win by capture")
    other.is_told("Player 1 wins by capture")


def pass_on(listener: Listener) -> None:
    for name in ("Pass", "Pass the turn"):
        listener.tab_to(f'button "{name}"')
        listener.press("Enter")


HIVE = [
    *("wG1", "bG1 wG1-", "wS1 -wG1", "bQ bG1/", "wG2 -wS1", "bA1 bQ-"),
    *("wQ \\wG1", "bM \\bA1", "wG2 bQ\\", "bA2 -bM", "wQ /bA2"),
]
"""A short game in which Black helps."""
BY_KEYBOARD = (0, 1, 8, 9, 10)
"""Its opening, and a move, a placement and the move that ends it. The plies between are played over HTTP."""
BUGS = {"A": "ant", "G": "grasshopper", "S": "spider", "Q": "queen", "M": "mosquito"}
SIDES = {"-": "east", "\\": "south-east", "/": "north-east"}
SIDES_BEFORE = {"-": "west", "\\": "north-west", "/": "south-west"}


def name_of(piece: str) -> str:
    """``wA1``: White ant 1."""
    colour = "White" if piece[0] == "w" else "Black"
    return " ".join([colour, BUGS[piece[1]], *piece[2:]])


def place_of(move: str) -> str:
    """The name of a place: White ant 1 east of black queen."""
    piece, _, beside = move.partition(" ")
    if beside == "":
        return f"{name_of(piece)} opens the game"
    is_before = beside[0] in SIDES_BEFORE
    side = SIDES_BEFORE[beside[0]] if is_before else SIDES[beside[-1]]
    other = name_of(beside.strip("-\\/"))
    return f"{name_of(piece)} {side} of {other[0].lower()}{other[1:]}"


def play_piece(player: Listener, move: str, before: list[str]) -> None:
    """Plays a move; the piece is on the board if it is in one of the moves ``before``."""
    code = move.split(" ", maxsplit=1)[0]
    piece = name_of(code)
    kind = piece.rstrip(" 123")
    player.tab_to('button "(White|Black) ')
    is_placed = any(one.startswith(code) for one in before)
    player.find(f'button "{piece}"' if is_placed else f'button "({kind}, . in hand|{piece}")')
    player.press("Enter")
    player.find(f'button "{re.escape(place_of(move))}"')
    player.press("Enter")


def test_hive(open_page: OpenPage, server: Server) -> None:
    game = new_game(server, "hive")
    players = sit_down(open_page, game)
    for ply, move in enumerate(HIVE):
        player, other = players[ply % 2], players[1 - ply % 2]
        player.is_told("Your turn.")
        if ply in BY_KEYBOARD:
            play_piece(player, move, HIVE[:ply])
        else:
            game.play(ply % 2, move)
        other.is_told(f"{place_of(move)}.")
    players[0].is_told("You win")
    players[1].is_told("White wins")


TILES = {"seats": 2, "seed": 4, "tileCount": 3}


def test_carcassonne(open_page: OpenPage, server: Server) -> None:
    players = sit_down(open_page, new_game(server, "carcassonne", config=TILES))
    for ply in range(3):
        player, other = players[ply % 2], players[1 - ply % 2]
        player.is_told("Your turn.")
        player.tab_to('button "Tile to ')
        player.press("Enter")
        assert "turned by" in player.heard()
        player.press("Enter")
        player.tab_to('button "Finish turn"' if ply % 2 else 'button "Meeple on the ')
        player.press("Enter")
        meeple = "" if ply % 2 else ", meeple on the"
        other.is_told(re.compile(rf"Player {ply % 2 + 1}: Tile [^:]*{meeple}"))
    for player in players:
        player.is_told(re.compile(r"wins?\b|Draw"))
        expect(player.page.get_by_role("row").filter(has_text="Total")).to_be_visible()


def test_pyrat(open_page: OpenPage, server: Server) -> None:
    maze = {
        "width": 3,
        "height": 3,
        "walls": [],
        "mud": [],
        "cheese": [[1, 0], [2, 0], [0, 2]],
        "maxTurns": 9,
    }
    rat, python = sit_down(open_page, new_game(server, "pyrat", config=maze))
    for turn, points in enumerate((1, 2)):
        rat.is_told("Your turn.")
        rat.tab_to('group "Board: arrow keys')
        rat.press("ArrowRight")
        rat.is_told("Waiting for Python.")
        python.tab_to('group "Board: arrow keys')
        python.press("Space")
        python.is_told("Rat right, Python stays")
        expect(python.page.get_by_role("img", name=f"Rat {points}, Python 0")).to_be_visible()
        assert turn < points
    rat.is_told("You win by collecting more than half of the cheese.")
    python.is_told("Rat wins by collecting more than half of the cheese.")
