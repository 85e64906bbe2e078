"""HTTP requests that the Wallwars site's clients write differently from ours. Called through ``dialects``."""

from typing import Literal

from pydantic import Field

from protocols.bgs.boards import sides
from protocols.dialects.wallwars import GAME
from protocols.values import Assistance, Seat, SeatKind, TimeControl, Visibility
from server.domain.game import MATCHMAKING
from server.routes.common_models import (
    Appearance,
    AssistanceName,
    ConfigBody,
    Name,
    RequestBody,
    Truth,
    Whole,
)
from server.services.games.game_factory import NewGame

SIDE = sides()


class SiteTimeControl(RequestBody):
    """The site's time control."""

    initial_seconds: Whole = Field(ge=10, le=3600)
    increment_seconds: Whole = Field(ge=0, le=60)
    preset: Name | None = None


class Board(ConfigBody):
    """A variant and a board, which the site's clients always name."""

    variant: Literal["standard", "classic", "freestyle", "survival"]
    board_width: Whole = Field(ge=SIDE.min, le=SIDE.max)
    board_height: Whole = Field(ge=SIDE.min, le=SIDE.max)


class SiteConfig(Board, extra="forbid"):
    """The site's game configuration."""

    variant: Literal["standard", "classic", "freestyle"]
    time_control: SiteTimeControl
    rated: Truth = False


class SiteGameBody(RequestBody):
    """A new game as the Wallwars site requests it: the host against the player who joins."""

    config: SiteConfig
    match_type: Literal["friend", "matchmaking"]
    host_display_name: Name | None = None
    host_appearance: Appearance | None = None
    host_is_player1: Truth = True
    assistance: AssistanceName | None = None

    def new_game(self) -> NewGame:
        """The requested game."""
        control, host = self.config.time_control, 0 if self.host_is_player1 else 1
        seats = [Seat(SeatKind.OPEN), Seat(SeatKind.OPEN)]
        seats[host] = Seat(
            SeatKind.HUMAN, name=self.host_display_name or None, appearance=self.host_appearance
        )
        return NewGame(
            game=GAME,
            variant=self.config.variant,
            config={"boardWidth": self.config.board_width, "boardHeight": self.config.board_height},
            seats=tuple(seats),
            time_control=TimeControl(control.initial_seconds, control.increment_seconds, control.preset),
            is_rated=self.config.rated,
            host=host,
            match_type=self.match_type,
            assistance=None if self.assistance is None else Assistance(self.assistance),
            visibility=Visibility.PUBLIC if self.match_type == MATCHMAKING else Visibility.SITE,
        )
