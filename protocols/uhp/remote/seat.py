"""A seat of model B: the player reads one GameString a ply, and answers with a move when it is its turn.

    S: seat Black game=g7Kd tc=300+5
    S: Base+MLP;NotStarted;White[1]
    S: Base+MLP;InProgress;Black[1];wA1
    P: bB1 -wA1
    S: Base+MLP;InProgress;White[2];wA1;bB1 -wA1
    …
    S: end WhiteWins board

Besides moves a player sends ``forfeit [reason]``, ``draw`` (an offer, or agreement to the other's), and ``info``,
which is not answered and keeps a connection alive. Driven by ``server.services.uhp``.
"""

from protocols.play.table import Table
from protocols.session import Close, Effect, Event, LocalError, Send
from protocols.uhp.game_string import COLORS
from protocols.uhp.lines import ERROR, INVALID_MOVE
from protocols.uhp.remote.showing import clock_line, ending, game_string, is_over, passed_by, tempo_of
from protocols.uhp.remote.wish import Wish
from protocols.uhp.remote.words import (
    MAX_TRIES,
    NORMAL,
    Changed,
    GiveUp,
    LineLost,
    NotSeated,
    OfferDraw,
    PlayMove,
    Refused,
    Seated,
    Seek,
)

NOT_YOUR_TURN = f"{ERROR} not your turn"
DRAW = "draw"
"""What a player sends to offer a draw, and is sent when the other has offered one."""


class SeatSession:
    """One player. ``with_clock``: GameStrings come with the clocks; ``with_secret``: the seat comes with its secret."""

    def __init__(self, wish: Wish, *, with_clock: bool = False, with_secret: bool = False) -> None:
        self._wish = wish
        self._with_clock = with_clock
        self._with_secret = with_secret
        self._seated: Seated | None = None
        self._table: Table | None = None
        """The game as the player has been shown it."""
        self._offering = False
        """Whether an offer of the player stands: it does until the other has moved, also over its own move."""
        self._offered = False
        """Whether the player has been told of the other's offer since its own last move."""

    def start(self) -> list[Effect]:
        """The connection is open."""
        return [Seek(self._wish)]

    def receive(self, frame: str) -> list[Effect]:
        """Take one line of the player."""
        keyword, _, rest = frame.strip().partition(" ")
        match keyword.lower():
            case "" | "info":
                return []
            case "forfeit" if self._table is not None:
                return [GiveUp("resignation", rest.strip() or None)]
            case "draw" if self._table is not None and not rest:
                self._offering = True
                return [OfferDraw()]
            case _:
                return self._take_move(frame.strip())

    def notify(self, event: Event) -> list[Effect]:
        """Take one event of the driver."""
        match event:
            case Seated():
                self._seated = event
                return []
            case NotSeated(text=text):
                return [Send(f"{ERROR} {text}"), Close(NORMAL, "no game")]
            case Changed(table=table):
                return self._take_table(table)
            case Refused():
                return self._refused(event)
            case LineLost(text=text):
                return [Send(f"{ERROR} {text}")]
            case _:
                raise LocalError("SEAT", event)

    # ---- moves -----------------------------------------------------------------------------------

    def _take_move(self, text: str) -> list[Effect]:
        table, seated = self._table, self._seated
        if table is None or seated is None or seated.seat not in table.to_act:
            return [Send(NOT_YOUR_TURN)]
        return [PlayMove(text)]

    def _refused(self, event: Refused) -> list[Effect]:
        """An illegal move may be tried again, but not for ever."""
        match event.code:
            case "illegal-move":
                said = Send(f"{INVALID_MOVE} {event.text}")
                return [said, GiveUp("illegal-move")] if event.tries >= MAX_TRIES else [said]
            case "not-your-turn":
                return [Send(NOT_YOUR_TURN)]
            case "finished":
                return []
            case _:
                return [Send(f"{ERROR} {event.text}")]

    # ---- the game --------------------------------------------------------------------------------

    def _take_table(self, table: Table) -> list[Effect]:
        """Nothing is shown before the game begins, and nothing twice."""
        before = self._table
        if self._seated is None or table.status == "open" or (before is not None and table.seq <= before.seq):
            return []
        self._table = table
        out: list[Effect] = [] if before is not None else [Send(self._seat_line(table, self._seated))]
        is_shown = before is not None and _is_same(before, table)
        if not is_shown:
            out += [line for moment in passed_by(before, table) for line in self._show(moment)]
        if is_over(table):
            return [*out, Send(f"end {ending(table)}"), Close(NORMAL, "game over")]
        return [*out, *self._follow_offers(before, table, self._seated.seat)]

    def _seat_line(self, table: Table, seated: Seated) -> str:
        line = f"seat {COLORS[seated.seat]} game={table.game_id} tc={tempo_of(table)}"
        return f"{line} resume={table.game_id}:{seated.secret}" if self._with_secret else line

    def _show(self, moment: Table) -> list[Effect]:
        clock = clock_line(moment) if self._with_clock else None
        return [Send(line) for line in (clock, game_string(moment)) if line is not None]

    def _follow_offers(self, before: Table | None, table: Table, seat: int) -> list[Effect]:
        """Tells of the other's offer once, and makes the player's anew after its own move, which ends every offer."""
        has_moved = before is not None and table.ply > before.ply
        if has_moved and seat not in table.to_act:
            self._offered = False
        elif has_moved:
            self._offering = False
        proposal = table.proposal
        if proposal is not None and proposal.kind == DRAW and proposal.seat != seat and not self._offered:
            self._offered = True
            return [Send(DRAW)]
        if self._offering and proposal is None and has_moved:
            return [OfferDraw()]
        return []


def _is_same(before: Table, table: Table) -> bool:
    """Whether the player has nothing new to see."""
    return (before.ply, before.status) == (table.ply, table.status) and (
        before.position.history == table.position.history
    )
