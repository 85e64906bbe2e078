"""What a server answers a viewer without a remote game: a local engine that never searches.

Its options show the seat of the remote game, if there is one, and its help covers the commands of ``viewer_seat``.
"""

from dataclasses import replace
from typing import Final

from protocols.session import Effect
from protocols.uhp.engine import Product, UhpEngineSession
from protocols.uhp.engine_help import HELP, overview
from protocols.uhp.engine_options import DRAW_BY_REPETITION, EngineOptions
from protocols.uhp.game_string import COLORS
from protocols.uhp.lines import ERROR, Command, answered
from protocols.uhp.options import Option, Settable, choice, flag
from protocols.uhp.remote.effects import Seated

SEAT: Final = "RemoteSeat"
RESUME: Final = "RemoteResume"
OFFER: Final = "RemoteOffer"

REMOTE_HELP: Final = {
    "newgame": "newgame remote [GameType] [color=white|black|any] [tc=base+inc] [vs=name|bot:name] [name=name]"
    " [resume=id]",
    "play": "play forfeit [reason] | play draw | play claim win|draw",
}
"""Additional usage lines of commands, by keyword."""

UNAVAILABLE: Final = ("bestmove", "perft")
"""Commands that would use the server's CPU time."""


def remote_seat(seat: int) -> Option:
    """The option that shows the viewer's seat."""
    return replace(choice(SEAT, COLORS[0], COLORS, Settable.NOTHING), value=COLORS[seat])


def remote_offer(*, is_offered: bool) -> Option:
    """The option that shows what the opponent offers."""
    shown = choice(OFFER, "None", ("None", "Draw"), Settable.NOTHING)
    return replace(shown, value="Draw") if is_offered else shown


class ServerEngine(UhpEngineSession):
    """The local engine of one viewer."""

    def __init__(self, product: Product) -> None:
        draws = flag(DRAW_BY_REPETITION, default=False)
        super().__init__(
            replace(product, capabilities=f"{product.capabilities};Remote"),
            EngineOptions((remote_seat(0), draws)),
        )
        self._seated: Seated | None = None

    def seat(self, seated: Seated | None) -> None:
        """Sets the seat to show (White if there is none yet), with the value for ``resume``."""
        self._seated = seated
        shown = [remote_seat(0 if seated is None else seated.seat)]
        if seated is not None:
            secret = f"{seated.game_id}:{seated.secret}"
            shown += [choice(RESUME, secret, (secret,), Settable.NOTHING), remote_offer(is_offered=False)]
        self.options = EngineOptions((*shown, self.options.find(DRAW_BY_REPETITION)))

    def show_offer(self, *, is_offered: bool) -> None:
        """Shows whether the opponent offers a draw."""
        self.options = self.options.put(remote_offer(is_offered=is_offered))

    def obey(self, command: Command) -> list[Effect]:
        """Answers a command."""
        keyword = command.words[0].lower() if command.words else ""
        match command.keyword:
            case unavailable if unavailable in UNAVAILABLE:
                return answered(_refusal(unavailable))
            case "help" if not keyword:
                unanswered = UNAVAILABLE if self._seated is None else (*UNAVAILABLE, "undo")
                return answered(*overview(but=unanswered), *REMOTE_HELP.values())
            case "help" if keyword in UNAVAILABLE:
                return answered(_refusal(keyword))
            case "help" if keyword in REMOTE_HELP:
                return answered(REMOTE_HELP[keyword], *HELP[keyword])
            case _:
                return super().obey(command)


def _refusal(keyword: str) -> str:
    return f"{ERROR} {keyword} is not available at a server"
