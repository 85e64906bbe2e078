"""Measures the analysis board: how soon the first line is there, the longest tasks, and pictures of late positions.

Opens a long random game of each game on the board, on a desktop and on a phone, whose browsers have a quarter of this
machine's speed by Chromium's own emulation, with the engine on. Prints for each

- the milliseconds from a click on "Previous move" to the first line for a position that nobody has asked for: median
  and worst;
- the longest task while the whole game is gone through, a move every ``STEP_MS``.

Then prints, for the last positions of the same games, how long their pictures take over HTTP: drawn for the first time,
and again. The server runs on the same machine. Leaves out TLS and a slow line.

    python -m benchmarks.board --chromium /usr/bin/chromium-headless-shell
"""

import argparse
import json
import random
import time
from statistics import median
from typing import Any, Final
from urllib.parse import quote

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.pages import GAMES, LONG_TASKS, SLOWER
from benchmarks.served import served
from engines import Position
from engines.bots import random_move

PLIES: Final = 120
"""The length of the games; Carcassonne's end before."""

LEAST_PLIES: Final = {"carcassonne": 70}
LEAST: Final = 101

STEP_MS: Final = 150

DEVICES: Final[dict[str, dict[str, Any]]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "device_scale_factor": 3},
}

FIRST_LINE = """async (lines) => {
    const board = lines.getRootNode();
    const back = board.querySelector("move-tree").shadowRoot.querySelector("[aria-label='Previous move']");
    const before = lines.lines;
    const isNew = () => lines.lines !== before && lines.shadowRoot.querySelector("li") !== null;
    const start = performance.now();
    back.click();
    while (!(lines.lines.length > 0 && isNew())) {
        if (performance.now() - start > 20_000) throw new Error("There is no line after 20 seconds.");
        await new Promise(requestAnimationFrame);
    }
    return performance.now() - start;
}"""
"""Goes back by a move; returns the milliseconds until there is a line for the position before it."""


LONGEST = """async ([lines, step]) => {
    const tree = lines.getRootNode().querySelector("move-tree").shadowRoot;
    const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));
    await rest(1000);
    longest = 0;
    for (;;) {
        const back = tree.querySelector("[aria-label='Previous move']");
        if (back.disabled) break;
        back.click();
        await rest(step);
    }
    await rest(1000);
    return longest;
}"""
"""Goes back to the start, a move every ``step`` milliseconds; returns the milliseconds of the longest task."""


def random_game(game: str) -> Position:
    """A long game of random moves, the same in each run."""
    for seed in range(100):
        rng = random.Random(seed)  # noqa: S311 - games that can be made again
        position = Position(game, config={"seed": 1}) if game in ("carcassonne", "pyrat") else Position(game)
        while position.outcome is None and position.ply < PLIES:
            position.play("/".join(random_move(position, seat, rng) for seat in position.to_act))
        if position.ply >= LEAST_PLIES.get(game, LEAST):
            return position
    raise SystemExit(f"no random game of {game} is long enough")


def address_of(position: Position) -> str:
    """The path of the board with all moves of a game but the last, which may end it."""
    moves = "".join(f"&move={quote(move)}" for move in position.history[:-1])
    config = quote(json.dumps(position.config))
    return f"/board/{position.game}#variant={quote(position.variant)}&config={config}{moves}"


def open_board(browser: Browser, address: str, device: dict[str, Any]) -> Page:
    """Opens a board in a slow browser, and waits for its first lines."""
    page = browser.new_context(**device).new_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(LONG_TASKS)
    page.goto(address)
    page.locator("analysis-lines li").first.wait_for()
    return page


def measure(page: Page, positions: int) -> tuple[list[float], float]:
    """The milliseconds until the first line for each of the last positions, and the longest task of a whole game."""
    lines = page.locator("analysis-lines").element_handle()
    first = [float(page.evaluate(FIRST_LINE, lines)) for _ in range(positions)]
    return first, float(page.evaluate(LONGEST, [lines, STEP_MS]))


def import_game(client: httpx.Client, position: Position) -> str:
    """Stores the game at the server; returns the path of its pictures."""
    record = {
        "format": "plyhouse-record",
        "game": position.game,
        "variant": position.variant,
        "config": position.config,
        "moves": position.history,
    }
    answer = client.post("/api/games/import", json={"text": json.dumps(record), "listed": False})
    answer.raise_for_status()
    return f"/api/games/{answer.json()['gameId']}"


def picture_times(client: httpx.Client, path: str, plies: range) -> tuple[list[float], list[float]]:
    """The milliseconds for the picture after each number of moves: the first time, and the second."""
    return (
        [timed(client, path, ply) for ply in plies],
        [timed(client, path, ply) for ply in plies],
    )


def timed(client: httpx.Client, path: str, ply: int) -> float:
    """The milliseconds for one picture."""
    start = time.perf_counter()
    client.get(path, params={"ply": ply}).raise_for_status()
    return 1000 * (time.perf_counter() - start)


def summary(values: list[float]) -> str:
    """The median and the worst of times in milliseconds."""
    return f"{median(values):6,.0f} ms, worst {max(values):6,.0f} ms"


def main() -> None:
    """Prints one line per game and device, and one per kind of picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chromium", default="/usr/bin/chromium-headless-shell")
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--games", nargs="+", default=GAMES, choices=GAMES)
    options = parser.parse_args()
    games = [random_game(game) for game in options.games]
    with served() as child, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        for position in games:
            for device, kind in DEVICES.items():
                page = open_board(browser, child.url + address_of(position), kind)
                first, longest = measure(page, options.positions)
                page.context.close()
                what = f"{position.game:12} {position.ply:4} plies  {device:8}"
                print(f"{what} first line {summary(first)}; longest task {longest:5,.0f} ms", flush=True)
        browser.close()
        with httpx.Client(base_url=child.url, timeout=60) as client:
            for position in games:
                path = import_game(client, position)
                plies = range(position.ply - options.positions, position.ply)
                for picture in ("picture.svg", "picture.png"):
                    cold, warm = picture_times(client, f"{path}/{picture}", plies)
                    print(
                        f"{position.game:12} {picture:12} cold {summary(cold)}; warm {summary(warm)}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
