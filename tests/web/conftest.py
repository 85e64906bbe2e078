"""A real server as a child process with its own database, and a real Chromium to open its page."""

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.server.program import ForkedCommand

# Not localhost: pages lack the features that browsers offer to secure ones only, as in a home network.
HOST = "plyhouse.test"

FOREIGN_NAME = "foreign.test"
"""A name that resolves to this machine, but is not one of the server's."""

CHROMIUM = "/usr/bin/chromium-headless-shell"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {HOST} 127.0.0.1,MAP {FOREIGN_NAME} 127.0.0.1",
)
PATIENCE_MS = 90_000
"""How long a page may take. The threads that search step back behind all other programs: beside tests that keep the
cores busy they get a tenth of one, and two seconds of work take half a minute."""

CODES = "try { localStorage['plyhouse-move-codes'] ??= 'true' } catch {}"
"""Lets move lists show codes, which are the same for everybody, until the visitor wants words."""

OpenPage = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests with a browser as slow, except those that are marked as quick."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()) and item.get_closest_marker("quick") is None:
            item.add_marker("slow")


@dataclass
class Server:
    """``plyhouse serve`` with a database that outlives it; ``port`` stays the same after a restart."""

    folder: Path
    port: int = 0
    process: ForkedCommand | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.port}/"

    def start(self) -> None:
        """Starts it and waits until it listens."""
        database = f"sqlite:///{self.folder}/games.db"
        command = ["serve", "--port", str(self.port), "--database", database]
        command += ["--allow-origin", f"http://{HOST}"]
        self.process = ForkedCommand(command, self.folder / "log.txt", {"PLYHOUSE_BOT_SEED": "1"})
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found is not None, f"the server said {line!r}"
        self.port = int(found[1])

    def kill(self) -> None:
        """Kills it without warning."""
        process, self.process = self.process, None
        if process is not None:
            process.stop(signal.SIGKILL)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    try:
        server.start()
        yield server
    finally:
        server.kill()


# Not for the whole session: while Playwright runs, so does a loop in this thread, and asynchronous tests fail.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def visitors(browser: Browser, server: Server, complaints: list[str]) -> Iterator[OpenPage]:
    """Opens pages of separate people; ``complaints`` gets what their consoles say is wrong.

    What the opener is given describes the person's browser, in the words of Playwright's ``new_context``.
    """
    contexts = []

    def open_page(**kind: Any) -> Page:
        context = browser.new_context(base_url=server.url, **kind)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(CODES)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """Opens a page for a new visitor; the test fails if its console reports an error."""
    complaints: list[str] = []
    with visitors(browser, server, complaints) as open_page:
        yield open_page
    assert complaints == []


@pytest.fixture
def open_page_anyhow(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """Like ``open_page``, for tests that stop the server, which consoles report as errors."""
    with visitors(browser, server, []) as open_page:
        yield open_page


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the parent names it
        """Logs nothing."""


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[ThreadingHTTPServer]:
    """Another web server, which serves ``tmp_path``."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=site.serve_forever, daemon=True)
    thread.start()
    yield site
    site.shutdown()
    site.server_close()
    thread.join()


def too_wide(page: Page) -> list[str]:
    """The elements that extend beyond the right edge of the page."""
    found: list[str] = page.evaluate(
        """() => {
            const all = (root) => [...root.querySelectorAll("*")].flatMap(
                (node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
            const limit = document.documentElement.clientWidth + 1;
            return all(document).filter((node) => node.getBoundingClientRect().right > limit)
                .map((node) => node.tagName + "." + node.getAttribute("class"));
        }"""
    )
    return found
