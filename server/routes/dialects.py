"""HTTP requests that clients of a dialect write differently; see ``protocols.dialects``.

If a dialect has such requests, they are in a module here, which this one imports.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Discriminator, Tag

from protocols.dialects import wallwars as dialect
from server.routes import wallwars
from server.routes.common_models import ConfigBody, NewGameBody

TAGS: Final = ("common", "site")
"""The tags of the two kinds of ``CreateBody``."""


def _kind(body: Any) -> str:  # noqa: ANN401 - a body as it came
    return "site" if isinstance(body, dict) and "matchType" in body else "common"


CreateBody = Annotated[
    Annotated[NewGameBody, Tag("common")] | Annotated[wallwars.SiteGameBody, Tag("site")],
    Discriminator(_kind),
]
"""A new game. A body with ``matchType`` is the Wallwars site's."""

_CONFIGS: Final[Mapping[str, type[ConfigBody]]] = {dialect.GAME: wallwars.Board}


def config_body(game: str) -> type[ConfigBody]:
    """The model of the configuration in a request for a game against a bot."""
    return _CONFIGS.get(game, ConfigBody)
