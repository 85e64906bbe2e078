"""Measures how soon a page can be used on a slow phone whose browser has seen nothing of it, and what it loads.

The phone has 1.6 Mbit/s, 150 ms of latency and a quarter of this machine's speed, by Chromium's own emulation; the
server runs on the same machine. Prints the median of the time until the page's main part has been drawn, as the page
itself sees it (a driver that asks a slow browser over and over learns of it half a second late); what has been loaded
2.5 seconds later; and the longest task.

    python -m benchmarks.pages --chromium /usr/bin/chromium-headless-shell
"""

import argparse
import json
from statistics import median

import httpx
from playwright.sync_api import Browser, sync_playwright

from benchmarks.served import served

GAMES = ("wallwars", "hive", "carcassonne", "pyrat")

BYTES_PER_SECOND = 200_000
LATENCY_MS = 150
SLOWER = 4

LONG_TASKS = """
    window.longest = 0;
    const note = ({ duration }) => { longest = Math.max(longest, duration); };
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "longtask", buffered: true });
"""


WATCH = """
    window.drawn = 0;
    const [host, inner] = PART.split(" ");
    const find = (root) => {
        for (const node of root.querySelectorAll("*")) {
            const own = node.shadowRoot;
            const found = own && ((node.matches(host) && own.querySelector(inner)) || find(own));
            if (found && found.getBoundingClientRect().height > 0) return found;
        }
        return null;
    };
    const look = () => {
        if (!find(document)) requestAnimationFrame(look);
        else requestAnimationFrame(() => { setTimeout(() => { drawn = performance.now(); }); });
    };
    requestAnimationFrame(look);
"""
"""Notes when an element within the shadow of a host has been drawn: after the next frame."""


def measure(browser: Browser, address: str, part: str) -> tuple[float, float, float]:
    """The milliseconds until ``part`` is drawn, the KiB that were loaded, and the longest task in milliseconds."""
    with browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True) as context:
        page = context.new_page()
        tools = context.new_cdp_session(page)
        loaded: list[float] = []
        tools.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
        tools.send("Network.enable")
        line = {"downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND}
        tools.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY_MS, **line})
        tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(LONG_TASKS)
        page.add_init_script(f"{{ const PART = {json.dumps(part)}; {WATCH} }}")
        page.goto(address, wait_until="commit")
        page.locator(part).first.wait_for()
        page.wait_for_timeout(2500)
        drawn = float(page.evaluate("drawn"))
        if drawn == 0:
            raise AssertionError(f"{address}: {part} is visible, but was not seen to be drawn")
        return drawn, sum(loaded) / 1024, page.evaluate("longest")


def pages_of(url: str) -> dict[str, tuple[str, str]]:
    """The address of each page, and the part of it that has to be visible."""
    pages = {
        "lobby": ("/", "game-card button"),
        "lesson": ("/learn/hive", "hive-board svg"),
        "puzzle": ("/puzzles/hive", "hive-board svg"),
        "frame": ("/embed/board/hive#move=wS1&move=bS1 wS1-", "hive-board svg"),
    }
    for game in GAMES:
        seats = [{"kind": "human"}, {"kind": "human"}]
        table = httpx.post(f"{url}/api/games", json={"game": game, "seats": seats}).json()
        pages[game] = (f"/game/{table['gameId']}?token={table['seats'][0]['token']}", f"{game}-board svg")
    return pages


def main() -> None:
    """Prints one line per page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium-headless-shell")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--only", nargs="+", help="the names of pages; default: all")
    options = parser.parse_args()
    with served() as child, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        pages = pages_of(child.url)
        for name, (path, part) in pages.items():
            if name not in (options.only or pages):
                continue
            runs = [measure(browser, child.url + path, part) for _ in range(options.times)]
            visible, loaded, longest = (median(values) for values in zip(*runs, strict=True))
            print(f"{name:12} {visible:6,.0f} ms  {loaded:6.1f} KiB  longest task {longest:4,.0f} ms")
        browser.close()


if __name__ == "__main__":
    main()
