"""The bridge's ear: the connection to the server, the game there, and the answer that the viewer waits for.

At most one command of the viewer waits (``busy``). Whatever the server says changes the game first; then it is
looked at what the waiting command can be told by now. Called by ``session``; who listens is ``plyhouse uhp``.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from protocols.session import Effect, Event, LocalError, Log, Send
from protocols.uhp.bridge.game import RemoteGame
from protocols.uhp.bridge.link import Outage, outage
from protocols.uhp.bridge.options import BridgeOptions
from protocols.uhp.bridge.words import Dial, HangUp, LinkLost, ServerSaid, ToServer
from protocols.uhp.game_string import COLORS, BadGameString, GameString
from protocols.uhp.lines import OK
from protocols.uhp.remote import news as n

STILL_WAITING: Final = "err still waiting for opponent"
RECONNECTING: Final = "err reconnecting"


class Busy(Enum):
    """What the viewer's command is waiting for."""

    NOT = auto()
    """Nothing waits."""
    SEEKING = auto()
    """For an opponent: ``newgame``."""
    WATCHING = auto()
    """For the opponent's move: ``bestmove``."""
    PLAYED = auto()
    """For the server to take our move: ``play``."""
    LEAVING = auto()
    """For the server to take our resignation: ``play forfeit``."""
    THINKING = auto()
    """For our own engine."""


class Hearing:
    """One seat at a time.

    ``words`` of the handshake are added to those that the options give. ``place`` are those for a particular game,
    the first one: ``resume``, or ``token`` and ``game``.
    """

    def __init__(
        self,
        options: BridgeOptions,
        words: Mapping[str, str] | None = None,
        place: Mapping[str, str] | None = None,
    ) -> None:
        self.busy = Busy.NOT
        self.game: RemoteGame | None = None
        self._options = options
        self._extra = words or {}
        self._place = place or {}
        self._resume: str | None = None
        """What opens the seat again, as the server named it."""
        self._sought: str | None = None
        """The type of the game that an opponent is sought for, as long as none is there."""
        self._seat = 0
        self._is_taken_up = False
        """Whether the seat was ours before we asked for it, so that its game may be under way."""
        self._is_told = False
        """Whether the viewer knows of the game."""
        self._sent: str | None = None
        """Our move that the server has not shown yet."""
        self._resignation: str | None = None
        """What we have sent to give the game up; a command waits for the end."""
        self._farewell: str | None = None
        """What that command is answered with, if not the GameString."""
        self._outage: Outage | None = None
        self._last_word: str | None = None
        """What the server has complained of, if it has said nothing since."""
        self._clocks: n.Clocks | None = None
        self._clocks_at = 0

    # ---- what the viewer wants -------------------------------------------------------------------

    def seek(self, game_type: str) -> list[Effect]:
        """A game of this type, against whoever comes."""
        game = self.game
        if game is not None and game.is_running and (self._is_told or game.remote.variant != game_type):
            return self._keep_game(game, game_type)
        self.busy = Busy.SEEKING
        if game is not None and game.is_running:
            return self._look()
        if self._sought == game_type:
            return []
        if game is not None:
            self._place, self._resume = {}, None
        self._is_taken_up = self._resume is not None or not _SECRETS.isdisjoint(self._place)
        self.game, self._sought, self._is_told, self._clocks = None, game_type, False, None
        return [HangUp(), self._dial()]

    def _keep_game(self, game: RemoteGame, game_type: str) -> list[Effect]:
        """None begins before its end; but a viewer that may hold an old board is shown the one there is."""
        if not game.is_board_old or game.remote.variant != game_type:
            return _lines("err finish or forfeit the remote game first")
        game.show_all()
        return _lines(game.text())

    def tell_astray(self) -> list[Effect]:
        """The answer for a viewer whose board is not the game's any more, once; nothing where it is."""
        line = None if self.game is None else self.game.tell_astray()
        return [] if line is None else self.answer(line)

    def watch(self) -> list[Effect]:
        """The opponent's move, when there is one."""
        self.busy = Busy.WATCHING
        return self._look()

    def play(self, move: str) -> list[Effect]:
        """Our move, legal and canonical."""
        if self._outage is not None:
            return _lines(RECONNECTING)
        self.busy, self._sent = Busy.PLAYED, move
        return [ToServer(move)]

    def forfeit(self, reason: str, answer: str | None = None) -> list[Effect]:
        """Gives the game up. It is over when the server says so: that is answered with ``answer``, or the GameString.

        A command that waits already is answered first, with the end of the game.
        """
        if self.game is None:
            return _lines("err there is no remote game")
        if not self.game.is_running:
            return _lines(f"err game over: {self.game.verdict()}")
        if self._outage is not None:
            return _lines(RECONNECTING)
        self._resignation, self._farewell = f"forfeit {reason}".strip(), answer
        if self.busy is Busy.NOT:
            self.busy = Busy.LEAVING
        return [ToServer(self._resignation)]

    def leave(self) -> list[Effect]:
        """The viewer is gone. A game that is running can be taken up later."""
        game, token = self.game, self._resume
        if game is not None and game.is_running and token is not None:
            return [Log(f"the game is still running: go on with --resume {token}"), HangUp()]
        return [HangUp()]

    def answer(self, *lines: str) -> list[Effect]:
        """Answers the command that waits; the next one may come, if it is not there already."""
        self.busy = Busy.NOT if self._resignation is None else Busy.LEAVING
        return _lines(*lines)

    @property
    def is_asking(self) -> bool:
        """Whether a command waits for somebody else."""
        return self.busy not in (Busy.NOT, Busy.THINKING)

    @property
    def is_resigning(self) -> bool:
        """Whether the game is being given up."""
        return self._resignation is not None

    def stop_waiting(self) -> list[Effect]:
        """Answers all commands that wait for somebody else by what they still wait for."""
        effects = []
        if self.busy in (Busy.SEEKING, Busy.WATCHING):
            effects += self.answer(STILL_WAITING)
        while self.is_asking:
            if self.busy is Busy.LEAVING:
                self._resignation = None
            self._sent = None
            effects += self.answer(
                "err the server has not answered" if self._outage is None else RECONNECTING
            )
        return effects

    # ---- the connection --------------------------------------------------------------------------

    def notify(self, event: Event) -> list[Effect]:
        """Take what the server says, or that it is gone."""
        match event:
            case ServerSaid(line=line, now=now):
                return self._hear(n.read(line), now)
            case LinkLost(why=why, now=now):
                return self._lose(why, now)
        raise LocalError(self.busy, event)

    def _words(self) -> Mapping[str, str]:
        """The handshake: for the game that we have, or for one like the viewer wants."""
        if self._resume is not None:
            return {**_ROLE, "resume": self._resume}
        if "resume" in self._place:
            return {**_ROLE, **self._place}
        return {
            **_ROLE,
            "type": self._sought or "",
            "color": self._options.color,
            "tc": self._options.time_control,
            **self._extra,
            **self._place,
        }

    def _lose(self, why: str, now: int) -> list[Effect]:
        if self.game is None:
            return self._give_up_seeking(why)
        if not self.game.is_running:
            return []
        if self._last_word is not None:
            self.game.why_lost = self._last_word
            return self._look()
        if self._outage is None:
            left = self.game.clock_left_ms(self._clocks)
            self._outage = outage(now if left is None else self._clocks_at, left)
        pause = self._outage.next_pause(now)
        if pause is None or self._resume is None:
            self.game.why_lost = f"the server is lost ({why})"
            return self._look()
        return [Log(f"the server is lost: {why}; connecting again"), self._dial(pause)]

    def _dial(self, pause_ms: int = 0) -> Effect:
        return Dial(self._options.server, self._words(), pause_ms)

    def _give_up_seeking(self, why: str) -> list[Effect]:
        self._sought = None
        return [HangUp(), *(self.answer(f"err {why}") if self.busy is Busy.SEEKING else [Log(why)])]

    # ---- what the server says --------------------------------------------------------------------

    def _hear(self, news: n.News, now: int) -> list[Effect]:
        self._last_word = None
        match news:
            case n.Accepted(resume=resume):
                self._resume = resume or self._resume
            case n.Seated(seat=seat, words=words):
                self._seat = seat
                self._resume = words.get("resume", self._resume)
                self._options.sit(seat)
                return [Log(f"playing {COLORS[seat]} in game {words.get('game', '?')}")]
            case n.Clocks():
                self._clocks, self._clocks_at = news, now
            case n.Shown(game=game):
                return self._see_or_lose_track(game)
            case n.Refused(why=why) if self.busy is Busy.PLAYED:
                return self._refuse_move(f"invalidmove {why}")
            case n.Rejected(why=why):
                return self._be_rejected(why)
            case n.Ended() if self.game is not None:
                self.game.end, self._resume = news, None
                return [Log(f"game over: {self.game.verdict()}"), *self._look()]
            case n.Unknown(line=line):
                return [Log(f"the server says: {line}")]
        return []

    def _see_or_lose_track(self, game: GameString) -> list[Effect]:
        """The game may be played by rules that the viewer does not know."""
        try:
            return self._see(game)
        except BadGameString as error:
            if self.game is None:
                return self._give_up_seeking(str(error))
            self.game.why_lost = str(error)
            return [HangUp(), *self._look()]

    def _see(self, game: GameString) -> list[Effect]:
        is_back, self._outage = self._outage is not None, None
        if self.game is None:
            self.game, self._sought = RemoteGame(self._seat, game), None
            if self._is_taken_up:
                self.game.show_all()
        else:
            self.game.take(game)
        effects = self._send_again(self.game) if is_back else []
        if self.game.astray is not None and self.busy is Busy.NOT:
            effects.append(Log(f"{self.game.astray}: the next command will be told"))
        return [*effects, *self._look()]

    def _send_again(self, game: RemoteGame) -> list[Effect]:
        """What may have been lost with the connection; a move only to the board that it was meant for."""
        is_there = self._sent is not None and self._sent == game.next_move
        if not is_there and game.astray is not None:
            self._sent = None
        lost = (None if is_there else self._sent, self._resignation)
        return [ToServer(line) for line in lost if line is not None]

    def _be_rejected(self, why: str) -> list[Effect]:
        if self.game is None:
            return self._give_up_seeking(why)
        if self._outage is not None:
            self.game.why_lost = why
            return [HangUp(), *self._look()]
        if self.busy is Busy.PLAYED:
            return self._refuse_move(f"err {why}")
        self._last_word = why
        return [Log(f"the server says: err {why}")]

    def _refuse_move(self, line: str) -> list[Effect]:
        """The server did not take our move; that the board has changed under it says more than ``line``."""
        self._sent = None
        return self.tell_astray() or self.answer(line)

    # ---- what can be answered --------------------------------------------------------------------

    def _look(self) -> list[Effect]:
        """The answers that are due in the game as it is now."""
        game = self.game
        if game is None:
            return []
        effects = self._answer_waiting(game)
        if self._resignation is not None and not game.is_running:
            self._resignation = None
            if game.astray is not None:
                game.show_all()
            effects += self.answer(self._farewell or game.text())
        return effects

    def _answer_waiting(self, game: RemoteGame) -> list[Effect]:
        match self.busy:
            case Busy.SEEKING:
                self._is_told = True
                return self.answer(game.text())
            case Busy.WATCHING if game.pending is not None and not game.is_over:
                return self.answer(game.pending)
            case Busy.PLAYED if self._sent is not None and game.has_taken(self._sent):
                game.show_taken(self._sent)
                self._sent = None
                return self.answer(game.text())
            case Busy.WATCHING | Busy.PLAYED if self._sent is None and game.astray is not None:
                return self.tell_astray()
            case Busy.WATCHING | Busy.PLAYED if not game.is_running:
                self._sent = None
                return self.answer(f"err game over: {game.verdict()}")
        return []


_ROLE: Final[Mapping[str, str]] = {"role": "seat", "clock": "1", "secret": "1"}
_SECRETS: Final = {"resume", "token"}
"""The words that open a seat which is ours."""


def _lines(*lines: str) -> list[Effect]:
    return [*(Send(line) for line in lines), Send(OK)]
