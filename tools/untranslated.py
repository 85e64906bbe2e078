"""Lists what the page says outside its texts: it is built with texts of accented letters, and opened in Chromium.

What has no accents and did not come from the server is listed with the address of its page.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
from playwright.sync_api import Error, Page, Response, sync_playwright

from tests.random_games import played

WEB = Path(__file__).parents[1] / "web"
ACCENTED = WEB / "src" / "texts" / "accented"
CHROMIUM = "/usr/bin/chromium-headless-shell"

ACUTE = "\u0301"
UNACCENTED = re.compile(rf"[A-Za-z](?!{ACUTE})[A-Za-z](?!{ACUTE})")

NAMES = ("plyhouse", " and ", '[variant "standard"]\n[board "5x5"]\n[result "*"]\n\n1. cb5.>d4 cd5 2. cc5 *')
"""What has no accents in any language: our name, what formatters of English say, and a record."""

REST_MS = 1500
"""For how long a page is left alone before it is read."""

TOURNAMENT = {
    "name": "1",
    "system": "swiss",
    "rounds": 2,
    "gamesPerPair": 2,
    "timeControl": {"initialSeconds": 60, "incrementSeconds": 1},
    "open": True,
}

PAGES = ("/", "/new", "/bots", "/tournaments", "/analysis", "/nowhere")
PAGES_OF_A_GAME = (
    "/new/{}",
    "/learn/{}",
    "/learn/{}?step=2",
    "/learn/{}/rules",
    "/puzzles/{}",
    "/board/{}",
    "/ladder/{}",
)

SAID = """() => {
    const found = [];
    const visit = (node) => {
        if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
        if (node.nodeType === Node.ELEMENT_NODE) {
            if (["STYLE", "SCRIPT", "CODE"].includes(node.tagName.toUpperCase())) return;
            for (const name of ["aria-label", "aria-description", "aria-valuetext", "title", "placeholder", "alt"])
                if (node.hasAttribute(name)) found.push(node.getAttribute(name));
            if (node.shadowRoot) visit(node.shadowRoot);
        }
        for (const child of node.childNodes) visit(child);
    };
    visit(document.body);
    return [document.title, ...found];
}"""


@contextmanager
def accented_page(folder: Path) -> Iterator[Path]:
    """The page, built with accented texts."""
    built = folder / "page"
    try:
        run("node", "accent.mjs", "src/texts/en", str(ACCENTED))
        run("npx", "vite", "build", "--logLevel", "warn", "--outDir", str(built), "--emptyOutDir")
    finally:
        shutil.rmtree(ACCENTED, ignore_errors=True)
    yield built


def run(*command: str) -> None:
    """Runs a command in the folder of the page, for the accented texts."""
    environment = {**os.environ, "PAGE_LANGUAGE": ACCENTED.name}
    subprocess.run(command, cwd=WEB, check=True, env=environment)


@contextmanager
def served(page: Path, folder: Path) -> Iterator[str]:
    """The address of a server with that page."""
    command = [str(Path(sys.executable).with_name("plyhouse")), "serve", "--port", "0"]
    command += ["--database", f"sqlite:///{folder}/games.db"]
    environment = {**os.environ, "PLYHOUSE_WEB": str(page)}
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )
    try:
        said = next(iter(server.stdout or ()))
        yield re.findall(r"http://[\w.:]+", said)[0]
    finally:
        server.terminate()
        server.wait()


def strings_in(value: object) -> Iterator[str]:
    """All strings in JSON."""
    match value:
        case str():
            yield value
        case dict():
            for key, part in value.items():
                yield from (key, *strings_in(part))
        case list():
            for part in value:
                yield from strings_in(part)


class Reader:
    """Opens pages, and prints what they say without accents. Strings that the server has sent are left out."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.responses: list[Response] = []
        self.sent = set(NAMES)
        self.seen: set[str] = set()
        page.on("response", lambda response: self.responses.append(response))
        page.on("websocket", lambda socket: socket.on("framereceived", self._on_frame))

    def _on_frame(self, frame: str | bytes) -> None:
        self.sent.update(part.lower() for part in strings_in(json.loads(frame)))

    def read(self, address: str) -> None:
        """Opens a page and lists what it says."""
        self.page.goto(address)
        self.list(address)

    def press(self, name: str) -> None:
        """Presses what has this name without accents."""
        self.page.get_by_role("button", name=accented(name), exact=True).first.click()
        self.list(f"{self.page.url}, {name}")

    def list(self, where: str) -> None:
        """Lists what the page says now."""
        self.page.wait_for_timeout(REST_MS)
        for response in self.responses:
            with suppress(Error):  # The page may have moved on.
                self.sent.update(part.lower() for part in sent_in(response))
        self.responses.clear()
        for text in sorted({text.strip() for text in self.page.evaluate(SAID)} - self.seen):
            self.seen.add(text)
            if UNACCENTED.search(text) and UNACCENTED.search(self._unsent(text.lower())):
                print(f"{where}: {text}", flush=True)

    def _unsent(self, text: str) -> str:
        for sent in sorted(
            (part for part in self.sent if len(part) > 1 and part in text), key=len, reverse=True
        ):
            text = text.replace(sent, "")
        return text


def sent_in(response: Response) -> Iterable[str]:
    """What the server has said in an answer: all strings of JSON, and the title of a document."""
    kind = response.header_value("content-type") or ""
    if "json" in kind:
        return strings_in(response.json())
    return re.findall("<title>(.*?)</title>", response.text()) if "html" in kind else ()


def accented(text: str) -> str:
    """The text as it is in the accented texts."""
    return re.sub(r"[A-Za-z]", rf"\g<0>{ACUTE}", text)


def read_all(reader: Reader, api: httpx.Client) -> None:
    """Reads all pages."""
    for path in PAGES:
        reader.read(path)
    reader.press("Settings")
    names = [row["game"] for row in api.get("rules").json()["games"]]
    for game in names:
        for path in PAGES_OF_A_GAME:
            reader.read(path.format(game))
        read_game(reader, api, game)
    tournament = api.post("tournaments", json=TOURNAMENT | {"game": names[0]}).json()
    reader.read(f"/tournaments/{tournament['id']}")
    reader.read("/")


def read_game(reader: Reader, api: httpx.Client, game: str) -> None:
    """Reads the pages of games: against a bot, waiting, and finished or in progress without players."""
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "plyhouse:easy"}]
    begun = api.post("games", json={"game": game, "seats": seats}).json()
    reader.read(f"/game/{begun['gameId']}?token={begun['seats'][0]['token']}")
    waiting = api.post("games", json={"game": game, "seats": [{"kind": "human"}, {"kind": "open"}]}).json()
    reader.read(f"/game/{waiting['gameId']}?token={waiting['seats'][0]['token']}")
    reader.read(f"/game/{waiting['gameId']}")
    position = played(game, 12)
    config = {**position.config, **position.secret, "variant": position.variant}
    record = json.dumps({"game": game, "config": config, "moves": position.history})
    imported = api.post("games/import", json={"text": record}).json()
    reader.read(f"/game/{imported['gameId']}")
    reader.read(f"/analysis/{imported['gameId']}")
    reader.read(f"/board/{game}#from={imported['gameId']}&ply=4")
    reader.press("Set up")


def main() -> None:
    """Builds the page, serves it, and reads it."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        with accented_page(folder) as page, served(page, folder) as url:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            with httpx.Client(base_url=f"{url}/api/", timeout=30) as api:
                read_all(Reader(browser.new_page(base_url=url)), api)
            browser.close()


if __name__ == "__main__":
    main()
