"""What other people's pages learn about ours: previews of links, oEmbed, and pages for frames."""

from collections.abc import AsyncIterator
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from server.routes.sharing.oembed import link_of
from tests.server.services import Json, opened, opening, settings

DASH = "\N{EN DASH}"
"""As the page writes titles."""

BUILT = """<!doctype html>
<html lang="en"><head>
    <meta name="description" content="Play." />
    <title>Plyhouse</title>
    <script type="module" src="/assets/main.js"></script>
</head><body><ply-app></ply-app></body></html>
"""

HOSTILE = ('"><script>alert(1)</script>', "</title><b>x", "' onload='x", "&amp;<!--", "\\1\\g<0>{title}%s")


@pytest.fixture(scope="module")
async def page(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """A server with a built page."""
    place = tmp_path_factory.mktemp("sharing")
    (place / "web").mkdir()
    (place / "web" / "index.html").write_text(BUILT)
    async with opened(settings(place)) as client:
        yield client


class Parsed(HTMLParser):
    """The elements of a document by name, with their attributes, and the text of its title."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.title = ""
        self._is_title = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._is_title = tag == "title"

    def handle_endtag(self, tag: str) -> None:
        self._is_title = False

    def handle_data(self, data: str) -> None:
        if self._is_title:
            self.title += data

    @property
    def names(self) -> list[str]:
        """The elements in their order."""
        return [tag for tag, _ in self.elements]

    @property
    def metas(self) -> dict[str, str]:
        """What the document says about itself."""
        metas = [values for tag, values in self.elements if tag == "meta" and "content" in values]
        named = [(values.get("property") or values.get("name", ""), values["content"]) for values in metas]
        assert len(dict(named)) == len(named)
        return dict(named)

    def link(self, rel: str) -> dict[str, str]:
        """The one link of this kind."""
        (found,) = [values for tag, values in self.elements if tag == "link" and values["rel"] == rel]
        return found


async def parsed(page: httpx.AsyncClient, path: str) -> Parsed:
    answer = await page.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    return Parsed(answer.text)


async def a_game(page: httpx.AsyncClient, *names: str, game: str = "hive") -> Json:
    return await opening(
        page, game, seats=[{"kind": "human", "name": name} for name in names or ("Ada", "Bo")]
    )


# ---- previews --------------------------------------------------------------------------------------


async def test_a_link_to_a_game_says_who_plays_and_has_a_picture(page: httpx.AsyncClient) -> None:
    game = await a_game(page)
    shown = await parsed(page, f"/game/{game['gameId']}")
    assert shown.title == f"Ada vs Bo {DASH} Hive {DASH} Plyhouse"
    assert shown.metas["og:title"] == shown.metas["twitter:title"] == f"Ada vs Bo {DASH} Hive"
    assert shown.metas["og:description"] == "Hive, All insects. Ada to move."
    assert shown.metas["og:url"] == f"http://services/game/{game['gameId']}"
    assert shown.metas["twitter:card"] == "summary_large_image"
    picture = await page.get(urlsplit(shown.metas["og:image"]).path)
    assert (picture.status_code, picture.headers["content-type"]) == (200, shown.metas["og:image:type"])


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("path", ["/game/{}", "/analysis/{}", "/embed/game/{}", "/embed/analysis/{}"])
async def test_names_stay_text(page: httpx.AsyncClient, name: str, path: str) -> None:
    plain, hostile = await a_game(page), await a_game(page, name, "Bo")
    usual = await parsed(page, path.format(plain["gameId"]))
    shown = await parsed(page, path.format(hostile["gameId"]))
    assert shown.names == usual.names
    assert [set(values) for _, values in shown.elements] == [set(values) for _, values in usual.elements]
    assert f"{name} vs Bo" in shown.title


async def test_a_preview_names_no_token(page: httpx.AsyncClient) -> None:
    game = await a_game(page)
    token = game["seats"][0]["token"]
    answer = await page.get(f"/game/{game['gameId']}?token={token}")
    assert token not in answer.text
    assert Parsed(answer.text).link("canonical")["href"] == f"http://services/game/{game['gameId']}"


@pytest.mark.parametrize(
    ("path", "title", "names_tab"),
    [
        ("/", "Plyhouse", False),
        ("/game/nobody", "Plyhouse", False),
        ("/game/" + "x" * 500, "Plyhouse", False),
        ("/tournaments/nobody", "Plyhouse", False),
        ("/new", "New game", False),
        ("/new/hive", "New game of Hive", False),
        ("/new/chess", "Plyhouse", False),
        ("/learn/hive/rules", "Rules of Hive", True),
        ("/board/pyrat", "PyRat board", True),
        ("/bots", "Bots", True),
        ("/ladder/wallwars", "Ladder of Wallwars", True),
        ("/analysis", "Analyse a game", True),
    ],
)
async def test_every_page_has_a_title(
    page: httpx.AsyncClient, path: str, title: str, *, names_tab: bool
) -> None:
    shown = await parsed(page, path)
    assert shown.metas["og:title"] == title
    assert shown.title == (f"{title} {DASH} Plyhouse" if names_tab else "Plyhouse")
    assert shown.names.count("title") == 1
    assert "script" in shown.names
    assert "og:image" not in shown.metas


async def test_a_tournament_has_its_name(page: httpx.AsyncClient) -> None:
    body = {"name": 'Cup <"&>', "game": "hive", "variant": "Base", "system": "round-robin", "startsAt": None}
    answer = await page.post("/api/tournaments", json=body)
    assert answer.status_code == 201, answer.text
    shown = await parsed(page, f"/tournaments/{answer.json()['id']}")
    assert (shown.metas["og:title"], shown.metas["og:description"]) == ('Cup <"&>', "A tournament of Hive.")


async def test_an_unchanged_document_is_not_sent_again(page: httpx.AsyncClient) -> None:
    game = await a_game(page)
    first = await page.get(f"/game/{game['gameId']}")
    again = await page.get(f"/game/{game['gameId']}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    assert (await page.get("/")).headers["etag"] != first.headers["etag"]


# ---- oEmbed ----------------------------------------------------------------------------------------


async def oembed(page: httpx.AsyncClient, url: str, **more: object) -> httpx.Response:
    return await page.get("/api/oembed", params={"url": url, **more})  # type: ignore[dict-item] # any value


@pytest.mark.parametrize("kind", ["game", "analysis"])
async def test_documents_lead_to_an_answer_of_the_standard(page: httpx.AsyncClient, kind: str) -> None:
    game = await a_game(page)
    found = (await parsed(page, f"/{kind}/{game['gameId']}")).link("alternate")
    assert found["type"] == "application/json+oembed"
    answer = await page.get(found["href"])
    told = answer.json()
    assert answer.headers["content-type"] == "application/json"
    assert (told["type"], told["version"], told["title"]) == ("rich", "1.0", found["title"])
    assert {"html", "width", "height"} <= told.keys()
    assert {"thumbnail_url", "thumbnail_width", "thumbnail_height"} <= told.keys()
    frame = Parsed(told["html"])
    assert frame.names == ["iframe"]
    assert frame.elements[0][1]["src"] == f"http://services/embed/{kind}/{game['gameId']}"
    assert (await page.get(frame.elements[0][1]["src"])).status_code == 200
    assert (await page.get(told["thumbnail_url"])).status_code == 200


async def test_a_frame_fits_and_shows_the_ply_of_the_link(page: httpx.AsyncClient) -> None:
    game = await a_game(page, *HOSTILE[:2])
    url = f"http://services/game/{game['gameId']}/?token=secret&ply=3#x"
    told = (await oembed(page, url, maxwidth=320, maxheight=9, dnt=1)).json()
    frame = Parsed(told["html"]).elements
    assert [tag for tag, _ in frame] == ["iframe"]
    assert (told["width"], told["height"]) == (320, 9)
    assert (frame[0][1]["width"], frame[0][1]["height"]) == ("320", "9")
    assert parse_qs(urlsplit(frame[0][1]["src"]).query) == {"ply": ["3"]}
    assert frame[0][1]["title"].startswith(f"{HOSTILE[0]} vs {HOSTILE[1]}")
    for ply in ("-1", "x", "9" * 30, "²"):
        again = (await oembed(page, f"http://services/game/{game['gameId']}?ply={ply}")).json()
        assert "?" not in Parsed(again["html"]).elements[0][1]["src"]


@pytest.mark.parametrize(
    "url",
    ["http://evil.example/game/{}", "//evil.example/game/{}", "http://services.evil.example/game/{}",
     "http://evil.example@/game/{}", "http://services:99/game/{}", "ftp://services/game/{}", "javascript:alert(1)",
     "http://services/game/nobody", "http://services/", "http://services/game", "http://services/board/hive",
     "http://services/game/{}/more", "http://[", "http://services:x/game/{}", "/game/{}", "", "http://services/game/%00",
     "http://services/game/" + "x" * 65],
)  # fmt: skip
async def test_only_links_to_our_games_are_known(page: httpx.AsyncClient, url: str) -> None:
    game = await a_game(page)
    answer = await oembed(page, url.format(game["gameId"]))
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_no_database_is_asked_for_what_it_cannot_compare() -> None:
    assert link_of("http://services/game/a%0A", "http://services/") is not None
    assert link_of("http://services/game/a%00", "http://services/") is None


@pytest.mark.parametrize(
    ("query", "status", "field"),
    [("", 400, "url"), ("url=x&maxwidth=0", 400, "maxwidth"), ("url=x&maxheight=tall", 400, "maxheight"),
     ("url=x&format=xml", 501, "format"), ("url=x&format=", 501, "format"), ("url=" + "x" * 3000, 400, "url")],
)  # fmt: skip
async def test_bad_members_of_the_query_are_named(
    page: httpx.AsyncClient, query: str, status: int, field: str
) -> None:
    answer = await page.get(f"/api/oembed?{query}")
    assert (answer.status_code, answer.json()["field"]) == (status, field)


# ---- frames ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["game", "analysis"])
async def test_anybody_may_frame_these_pages_only(page: httpx.AsyncClient, kind: str) -> None:
    game = await a_game(page)
    answer = await page.get(f"/embed/{kind}/{game['gameId']}?ply=2&flipped=1&theme=dark")
    policy = answer.headers["content-security-policy"]
    assert policy.endswith("frame-ancestors *")
    assert "form-action 'none'" in policy
    assert "x-frame-options" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    shown = Parsed(answer.text)
    board = dict(shown.elements)["plyhouse-board"]
    graph = {"evaluation": "", "graph": ""} if kind == "analysis" else {}
    assert board == {"game-id": game["gameId"], "ply": "2", "flipped": "", **graph}
    assert shown.metas["color-scheme"] == "dark"
    for path in (f"/{kind}/{game['gameId']}", "/api/oembed", f"/embed/{kind}/{game['gameId']}?ply=x"):
        other = await page.get(path)
        assert other.headers["content-security-policy"].endswith("frame-ancestors 'none'")
        assert other.headers["x-frame-options"] == "DENY"


async def test_a_frame_shows_a_board_without_a_game(page: httpx.AsyncClient) -> None:
    answer = await page.get("/embed/board/hive?flipped=true&theme=light")
    assert answer.headers["content-security-policy"].endswith("frame-ancestors *")
    shown = Parsed(answer.text)
    assert dict(shown.elements)["plyhouse-position"] == {"game": "hive", "flipped": ""}
    assert (shown.title, shown.metas["color-scheme"]) == ("Hive board", "light")
    assert shown.link("canonical")["href"] == "http://services/board/hive"
    hostile = Parsed((await page.get("/embed/board/%22%3E%3Cscript%3E")).text)
    assert dict(hostile.elements)["plyhouse-position"] == {"game": '"><script>'}
    assert (await page.get("/embed/board/hive?ply=3")).json()["field"] == "ply"


@pytest.mark.parametrize(
    ("query", "field"),
    [("ply=-1", "ply"), ("ply=1.5", "ply"), ("ply=99999999", "ply"), ("flipped=2", "flipped"), ("theme=red", "theme"),
     ("evaluation=perhaps", "evaluation"), ("onload=x", "onload"), ("server=http://evil.example", "server")],
)  # fmt: skip
async def test_a_frame_names_bad_members_of_its_query(
    page: httpx.AsyncClient, query: str, field: str
) -> None:
    answer = await page.get(f"/embed/game/anything?{query}")
    assert (answer.status_code, answer.json()["field"]) == (400, field)


async def test_the_id_of_a_frame_stays_text(page: httpx.AsyncClient) -> None:
    answer = await page.get("/embed/game/%22%3E%3Cscript%3Ealert(1)%3C%22?evaluation=1")
    shown = Parsed(answer.text)
    assert dict(shown.elements)["plyhouse-board"] == {"game-id": '"><script>alert(1)<"', "evaluation": ""}
    assert shown.names.count("script") == 1
