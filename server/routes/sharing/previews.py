"""What a link to one of our pages looks like where people share it: a title, a sentence, and for games a picture.

The address of a seat contains its token: previews name the address of the page without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from engines import games
from server.domain.captions import caption_of, game_title
from server.domain.errors import ApiError
from server.domain.public_table import table_of
from server.routes.services import Services

SITE = "Plyhouse"
DASH = "\N{EN DASH}"
SENTENCE = "Play board games against engines, bots and friends."


@dataclass(frozen=True, slots=True)
class Preview:
    """``title`` and ``sentence`` contain names that anyone has chosen: whoever writes them escapes them.

    ``picture``: the path of a card of 1200x630 pixels. ``is_embeddable``: whether other pages can show it in a frame.
    ``names_tab``: whether the title is that of the document as well, as the page sets another one later.
    """

    title: str = SITE
    sentence: str = SENTENCE
    picture: str | None = None
    is_embeddable: bool = False
    names_tab: bool = True


LOBBY = Preview(names_tab=False)

_STEADY = {
    "/new": Preview("New game", "Start a game against a bot, or invite a friend by a link.", names_tab=False),
    "/bots": Preview("Bots", "The engines and bots that play here, from beginner to strong."),
    "/tournaments": Preview("Tournaments", "Tournaments of bots and people, to watch and to enter."),
    "/analysis": Preview("Analyse a game", "Read a game record, and let the engines judge its moves."),
}

_OF_A_GAME = {
    "/new/{game}": ("New game of {title}", "{sentence}", False),
    "/learn/{game}": ("Learn {title}", "{sentence} Learn it step by step.", True),
    "/learn/{game}/rules": ("Rules of {title}", "{sentence}", True),
    "/ladder/{game}": ("Ladder of {title}", "The ratings of the bots that play {title} here.", True),
    "/puzzles/{game}": ("{title} puzzles", "Positions of {title} with one best move: find it.", True),
    "/board/{game}": ("{title} board", "Set up and explore positions of {title} with an engine.", True),
}


async def preview_of(services: Services, path: str, names: Mapping[str, str]) -> Preview:
    """The preview of the page at a route's ``path``, such as ``/game/{game_id}``, with the ``names`` in its address.

    That of the lobby for anything unknown, and for clients that have used up their time.
    """
    try:
        if "game_id" in names:
            services.work.check()
            return await services.work.paid(game_preview(services, path, names["game_id"]))
        if "tournament_id" in names:
            services.work.check()
            return await services.work.paid(_tournament(services, names["tournament_id"]))
    except ApiError:
        return LOBBY
    if "game" in names and path in _OF_A_GAME:
        return _of_a_game(path, names["game"])
    if "bot" in names:
        return Preview("Bot", "What a bot that plays here can do, and its games.")
    return _STEADY.get(path, LOBBY)


async def game_preview(services: Services, path: str, game_id: str) -> Preview:
    """The preview of a game's page, or of its analysis. ApiError ``not-found``."""
    state = await services.games.latest(game_id)
    caption = caption_of(table_of(state, services.games.now()), _abouts().get(state.game, {}))
    is_analysis = path.startswith("/analysis")
    return Preview(
        title=f"{'Analysis: ' if is_analysis else ''}{caption.players} {DASH} {caption.game}",
        sentence=f"{caption.game}, {caption.variant}. {caption.status}",
        picture=f"api/games/{quote(game_id, safe='')}/card.png",
        is_embeddable=True,
    )


async def _tournament(services: Services, tournament_id: str) -> Preview:
    state = await services.tournaments.get(tournament_id)
    settings = state.settings
    game = game_title(settings.game, _abouts().get(settings.game, {}))
    return Preview(settings.name, f"A tournament of {game}.")


def _of_a_game(path: str, game: str) -> Preview:
    about = _abouts().get(game)
    if about is None:
        return LOBBY
    title, sentence, names_tab = _OF_A_GAME[path]
    words = {"title": game_title(game, about), "sentence": about.get("sentence", SENTENCE)}
    return Preview(title.format(**words), sentence.format(**words), names_tab=names_tab)


def _abouts() -> dict[str, dict[str, object]]:
    return {game.name: game.about for game in games() if game.listed}
