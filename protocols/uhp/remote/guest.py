"""The server as a UHP engine with a remote opponent (model C): ``newgame remote``, a ``play`` that waits, and forfeits.

    V: newgame remote Base color=white tc=60+1
    S: Base;NotStarted;White[1]
    S: ok
    V: play wA1
    S: Base;InProgress;Black[1];wA1              at once
    S: bB1 -wA1                                  when the opponent has moved
    S: Base;InProgress;White[2];wA1;bB1 -wA1
    S: ok

A superset of UHP 1.0: without a remote game an engine of our own answers (``local``), which here never searches.
One command is under way at a time; what comes meanwhile waits, except for ``play forfeit`` and ``exit``. A takeback
that makes it the viewer's turn ends a ``play`` that waits with the GameString alone; one that makes it the opponent's
is told to the next ``play``, which is refused and waits for the opponent. Driven by ``server.services.uhp``.
"""

from collections.abc import Sequence
from enum import Enum, auto

from protocols.play.table import Table
from protocols.session import Close, Effect, Event, LocalError, Send
from protocols.uhp.engine import CAPABILITIES, EngineSession, Product
from protocols.uhp.engine_help import overview
from protocols.uhp.engine_options import DRAW_BY_REPETITION, EngineOptions
from protocols.uhp.lines import ERROR, INVALID_MOVE, OK, Command, read_command
from protocols.uhp.options import flag
from protocols.uhp.remote.guest_options import lines_about, remote_lines
from protocols.uhp.remote.held import Alive, Answered, Held, HeldLine
from protocols.uhp.remote.newgame import NewRemote, read_new_remote
from protocols.uhp.remote.showing import RESIGN, game_over, game_string, is_over, passed_by, reason_of
from protocols.uhp.remote.wish import BadWish, Wish
from protocols.uhp.remote.words import (
    MAX_TRIES,
    NORMAL,
    Changed,
    GiveUp,
    LineLost,
    NotSeated,
    PlayMove,
    Refused,
    Seated,
    Seek,
    flooded,
    is_forfeit,
)

REMOTE_HELP = {
    "newgame": "newgame remote [GameType] [color=white|black|any] [tc=base+inc] [vs=name|bot:name] [name=name]"
    " [resume=id]",
    "play": "play forfeit [reason]",
}
"""What the commands of these keywords are here as well."""

NO_GAME = f"{ERROR} No game in progress. Try 'newgame' to start a new game."
NOT_YOUR_TURN = f"{ERROR} It is not your turn."
UNAVAILABLE = ("bestmove", "perft")
"""What costs the server's own time."""


class GuestState(Enum):
    """What the command under way waits for."""

    IDLE = auto()
    """Nothing: none is under way."""
    SEEKING = auto()
    """``newgame remote``: a game, and the viewer's turn in it."""
    MOVING = auto()
    """``play``: the move is being judged."""
    WAITING = auto()
    """``play``: the opponent's answer."""
    LEAVING = auto()
    """``play forfeit`` on the own turn: the end of the game."""


class GuestSession:
    """One viewer. ``wish`` is what the handshake asks for, and ``newgame remote`` may change."""

    def __init__(self, product: Product, wish: Wish) -> None:
        self._name = product.name
        self._wish = wish
        options = EngineOptions((flag(DRAW_BY_REPETITION, default=False),))
        self._local = EngineSession(product, options)
        self._state = GuestState.IDLE
        self._seated: Seated | None = None
        self._table: Table | None = None
        """The remote game as the viewer has been shown it, also when it is over; None: there is none."""
        self._forfeits = 0
        """``play forfeit`` that came while another command was under way, and are to be answered after it."""
        self._held = Held()

    def start(self) -> list[Effect]:
        """The banner."""
        return _answer(self._info())

    def receive(self, frame: str) -> list[Effect]:
        """Take one line of the viewer; blank ones are passed over."""
        command = read_command(frame)
        if command is None:
            return []
        if command.keyword == "exit":
            return [Close(NORMAL, "exit")]
        if self._state is GuestState.IDLE:
            return self._carry_out(command)
        if is_forfeit(command):
            return self._forfeit_meanwhile(command)
        return self._hold(command)

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        match event:
            case Seated():
                self._seated = event
                return []
            case NotSeated(text=text) if self._state is GuestState.SEEKING:
                return self._finish(f"{ERROR} {text}")
            case Changed(table=table):
                return self._take_table(table)
            case Refused():
                return self._refused(event)
            case LineLost(text=text):
                lost = Answered(f"{ERROR} {text}")
                return self._take_up(lost) if self._state is GuestState.IDLE else self._hold(lost)
            case _:
                raise LocalError(self._state, event)

    @property
    def _is_in_game(self) -> bool:
        return self._table is not None and not is_over(self._table)

    # ---- commands --------------------------------------------------------------------------------

    def _carry_out(self, command: Command) -> list[Effect]:
        match command.keyword:
            case "info":
                return _answer(self._info())
            case "newgame":
                return self._new_game(command)
            case "options":
                return self._about_options(command)
            case "help":
                return self._help(command)
            case "play" if is_forfeit(command):
                return self._forfeit(command)
            case keyword if self._table is not None and keyword in _OF_GAME:
                return self._in_game(self._table, command)
            case keyword if keyword in UNAVAILABLE:
                return _answer([_unavailable(keyword)])
            case _:
                return self._ask_local(command)

    def _help(self, command: Command) -> list[Effect]:
        """Only about commands that are answered here."""
        if not command.words:
            unanswered = UNAVAILABLE if self._table is None else (*UNAVAILABLE, "undo")
            return _answer([*overview(but=unanswered), *REMOTE_HELP.values()])
        keyword = command.words[0].lower()
        if keyword in UNAVAILABLE:
            return _answer([_unavailable(keyword)])
        return self._ask_local(command, [REMOTE_HELP[keyword]] if keyword in REMOTE_HELP else [])

    def _hold(self, line: Command | Answered) -> list[Effect]:
        """What comes while a command is under way is answered after it."""
        return [] if self._held.add(line) else flooded()

    def _take_up(self, line: HeldLine) -> list[Effect]:
        match line:
            case Answered(line=text):
                return _answer([text])
            case Alive(count=count):
                return [Send("\n".join((*self._info(), OK) * count))]
            case Command():
                return self._carry_out(line)

    def _info(self) -> list[str]:
        return [f"id {self._name}", f"{CAPABILITIES};Remote"]

    def _ask_local(self, command: Command, first: Sequence[str] = ()) -> list[Effect]:
        """Our own engine, as any: its answer, behind the lines ``first``, is one message."""
        effects = self._local.receive(" ".join((command.keyword, *command.words)))
        lines = [effect.text for effect in effects if isinstance(effect, Send)]
        return [Send("\n".join((*first, *lines)))]

    def _new_game(self, command: Command) -> list[Effect]:
        if self._is_in_game:
            return _answer([f"{ERROR} finish or forfeit the remote game first"])
        if command.words[:1] and command.words[0].lower() == "remote":
            return self._new_remote(command.words[1:])
        self._table = self._seated = None
        return self._ask_local(command)

    def _new_remote(self, words: tuple[str, ...]) -> list[Effect]:
        try:
            wanted = read_new_remote(words, self._wish)
        except BadWish as refusal:
            return _answer([f"{ERROR} {refusal}"])
        secret = self._secret_of(wanted)
        self._table = self._seated = None
        self._state = GuestState.SEEKING
        return [Seek(wanted.wish, wanted.game, secret)]

    def _secret_of(self, wanted: NewRemote) -> str | None:
        """What a game is come back to with: named, or known from before."""
        known = self._seated
        return (
            known.secret
            if wanted.secret is None and known and known.game_id == wanted.game
            else wanted.secret
        )

    def _about_options(self, command: Command) -> list[Effect]:
        lines = lines_about(command.words, self._seated)
        if lines is not None:
            return _answer(lines)
        own = remote_lines(self._seated) if not command.words else []
        return self._ask_local(command, own)

    # ---- the remote game -------------------------------------------------------------------------

    def _in_game(self, table: Table, command: Command) -> list[Effect]:
        if is_over(table):
            return _answer([game_over(table)])
        match command.keyword:
            case "play" | "pass" if not self._is_due(table):
                return self._wait_instead(table)
            case "play":
                return self._move(command.rest)
            case "pass":
                return self._move("pass")
            case "validmoves":
                return _answer([";".join(table.position.legal_moves())])
            case _:
                return _answer([f"{ERROR} not available in a remote game"])

    def _move(self, text: str) -> list[Effect]:
        self._state = GuestState.MOVING
        return [PlayMove(text)]

    def _wait_instead(self, table: Table) -> list[Effect]:
        """Whose move came on the opponent's turn is told so, shown the game, and then what the opponent does.

        A viewer that is told everything does not come here: moves were taken back, or its own was made elsewhere.
        """
        self._state = GuestState.WAITING
        return [Send(f"{NOT_YOUR_TURN}\n{game_string(table)}")]

    def _forfeit_meanwhile(self, command: Command) -> list[Effect]:
        """At once, whoever's turn it is. Where there is no game yet it is not the one that will be found."""
        if not self._is_in_game:
            return self._hold(Answered(NO_GAME))
        self._forfeits += 1
        return [_give_up(command)]

    def _forfeit(self, command: Command) -> list[Effect]:
        if self._table is None:
            return _answer([NO_GAME])
        if is_over(self._table):
            return _answer([game_over(self._table)])
        self._state = GuestState.LEAVING
        return [_give_up(command)]

    def _refused(self, event: Refused) -> list[Effect]:
        """What the game did not take. That it is over is told by the table that follows, or was."""
        if event.code == "finished":
            return [] if self._is_in_game or self._table is None else self._take_end(self._table)
        if self._state not in (GuestState.MOVING, GuestState.LEAVING):
            return self._forfeit_failed(event)
        if event.code == "not-your-turn" and self._table is not None and not self._is_due(self._table):
            return self._wait_instead(self._table)
        if event.code != "illegal-move":
            return self._finish(f"{ERROR} {event.text}")
        out = self._finish(f"{INVALID_MOVE} {event.text}")
        return [*out, GiveUp("illegal-move")] if event.tries >= MAX_TRIES else out

    def _forfeit_failed(self, event: Refused) -> list[Effect]:
        """The command under way goes on."""
        if self._forfeits == 0:
            return []
        self._forfeits -= 1
        return _answer([f"{ERROR} {event.text}"])

    # ---- what happens in it ----------------------------------------------------------------------

    def _take_table(self, table: Table) -> list[Effect]:
        before = self._table
        if self._seated is None or table.status == "open" or (before is not None and table.seq <= before.seq):
            return []
        out: list[Effect] = []
        for moment in passed_by(before, table):
            out += self._step(moment)
        return out

    def _step(self, table: Table) -> list[Effect]:
        """One ply more, or the end, or the first sight of the game."""
        before, self._table = self._table, table
        has_moved = before is not None and table.ply > before.ply
        match self._state:
            case GuestState.SEEKING:
                return self._begin(table)
            case GuestState.MOVING if has_moved:
                return self._moved(table)
            case GuestState.WAITING if has_moved:
                return self._finish(table.position.history[-1], game_string(table))
            case GuestState.WAITING if self._is_due(table):
                return self._finish(game_string(table))  # After a takeback there is no move to name.
        return self._take_end(table) if is_over(table) else []

    def _begin(self, table: Table) -> list[Effect]:
        """The viewer is shown the game when it is its turn, or when there is nothing to wait for."""
        if table.status == "aborted":
            self._table = self._seated = None
            return self._finish(f"{ERROR} no opponent")
        return self._finish(game_string(table)) if is_over(table) or self._is_due(table) else []

    def _is_due(self, table: Table) -> bool:
        """Whether it is the viewer's turn."""
        return self._seated is not None and self._seated.seat in table.to_act

    def _moved(self, table: Table) -> list[Effect]:
        if is_over(table):
            return self._finish(game_string(table))
        self._state = GuestState.WAITING
        return [Send(game_string(table))]

    def _take_end(self, table: Table) -> list[Effect]:
        """The game has ended without a move: the command under way ends with it, and then what waited to leave."""
        match self._state:
            case GuestState.IDLE:
                return self._answer_forfeits(table)
            case GuestState.WAITING if not self._has_left(table):
                return self._finish(f"forfeit {reason_of(table)}", game_string(table))
            case GuestState.WAITING | GuestState.SEEKING:
                return self._finish(game_string(table))
            case GuestState.LEAVING if self._has_left(table):
                return self._finish(game_string(table))
            case _:
                return self._finish(game_over(table))

    def _has_left(self, table: Table) -> bool:
        """Whether the viewer itself has given the game up."""
        result, seated = table.result, self._seated
        is_lost = result is not None and seated is not None and seated.seat not in result.winners
        return is_lost and reason_of(table) == RESIGN

    def _finish(self, *lines: str) -> list[Effect]:
        """The answer to the command under way, and then whatever has waited for that."""
        self._state = GuestState.IDLE
        out = _answer(list(lines))
        if not self._is_in_game:
            out += self._answer_forfeits(self._table)
        while self._held and self._state is GuestState.IDLE:
            out += self._take_up(self._held.take())
        return out

    def _answer_forfeits(self, table: Table | None) -> list[Effect]:
        """What there is to say once the game is over, or was called off before the viewer has seen it."""
        count, self._forfeits = self._forfeits, 0
        return [effect for _ in range(count) for effect in _answer([self._forfeited(table)])]

    def _forfeited(self, table: Table | None) -> str:
        if table is None:
            return NO_GAME
        return game_string(table) if self._has_left(table) else game_over(table)


_OF_GAME = ("play", "pass", "validmoves", "undo", "bestmove")
"""Commands about the game: while there is a remote one, about that."""


def _unavailable(keyword: str) -> str:
    return f"{ERROR} {keyword} is not available at a server"


def _give_up(command: Command) -> Effect:
    return GiveUp("resignation", " ".join(command.words[1:]) or None)


def _answer(lines: list[str]) -> list[Effect]:
    """One message."""
    return [Send("\n".join((*lines, OK)))]
