"""A seat of model B: the player reads one GameString per ply and answers with a move when it is its turn.

    S: seat Black game=g7Kd tc=300+5
    S: Base+MLP;NotStarted;White[1]
    S: Base+MLP;InProgress;Black[1];wA1
    P: bB1 -wA1
    S: Base+MLP;InProgress;White[2];wA1;bB1 -wA1
    …
    S: end WhiteWins board

Besides moves, a player may send ``forfeit [reason]``, ``draw`` (an offer, or acceptance of the opponent's), ``claim
win`` or ``claim draw`` against an opponent who is away, and ``info``, which keeps the connection alive and is not
answered. Driven by ``server.services.uhp``.
"""

from protocols.session import Close, Effect, Event, FrameLost, LocalError, Send
from protocols.uhp.game_string import COLORS
from protocols.uhp.lines import ERROR, INVALID_MOVE
from protocols.uhp.remote import effects as ef
from protocols.uhp.remote.game_lines import is_draw_offered, is_news, is_over, shown_to_end
from protocols.uhp.remote.seek_criteria import SeekCriteria, write_time_control
from protocols.values import Table

NOT_YOUR_TURN = f"{ERROR} not your turn"
DRAW = "draw"
"""Sent by a player to offer a draw, and by the server when the opponent has offered one."""


class SeatSession:
    """One player. ``with_clock``: GameStrings come with clocks; ``with_secret``: the seat line has its secret."""

    def __init__(
        self, criteria: SeekCriteria, *, with_clock: bool = False, with_secret: bool = False
    ) -> None:
        self._criteria = criteria
        self._with_clock = with_clock
        self._with_secret = with_secret
        self._seated: ef.Seated | None = None
        self._table: Table | None = None
        """The game as last shown to the player."""
        self._offering = False
        """Whether the player has an open offer: it survives the player's own move, until the opponent has moved."""
        self._offered = False
        """Whether the opponent's offer has been announced since the player's last move."""

    def start(self) -> list[Effect]:
        """Called when the connection is open: looks for a game."""
        return [ef.Seek(self._criteria)]

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line from the player."""
        keyword, _, rest = frame.strip().partition(" ")
        match keyword.lower():
            case "" | "info":
                return []
            case "forfeit" if self._table is not None:
                return [ef.GiveUp("resignation", rest.strip() or None)]
            case _:
                asked = None if self._table is None else ef.agreement_request(frame)
                return self._take_move(frame.strip()) if asked is None else self._ask(asked)

    def notify(self, event: Event) -> list[Effect]:
        """Handles one event from the driver."""
        match event:
            case ef.Seated():
                self._seated = event
                return []
            case ef.NotSeated(text=text):
                return [Send(f"{ERROR} {text}"), Close(ef.NORMAL, "no game")]
            case ef.TableChanged(table=table):
                return self._take_table(table)
            case ef.RefusedByGame():
                return self._refused(event)
            case ef.TakenByGame():
                return []
            case FrameLost(text=text):
                return [Send(f"{ERROR} {text}")]
            case _:
                raise LocalError("SEAT", event)

    # ---- moves -----------------------------------------------------------------------------------

    def _ask(self, asked: ef.OfferDraw | ef.ClaimEnd) -> list[Effect]:
        self._offering = self._offering or isinstance(asked, ef.OfferDraw)
        return [asked]

    def _take_move(self, text: str) -> list[Effect]:
        table, seated = self._table, self._seated
        if table is None or seated is None or seated.seat not in table.to_act:
            return [Send(NOT_YOUR_TURN)]
        return [ef.PlayMove(text)]

    def _refused(self, event: ef.RefusedByGame) -> list[Effect]:
        """Reports the refusal; after too many illegal moves the game is lost."""
        match event.code:
            case "illegal-move":
                said = Send(f"{INVALID_MOVE} {event.text}")
                return [said, ef.GiveUp("illegal-move")] if event.tries >= ef.MAX_TRIES else [said]
            case "not-your-turn":
                return [Send(NOT_YOUR_TURN)]
            case "finished":
                return []
            case _:
                return [Send(f"{ERROR} {event.text}")]

    # ---- the game --------------------------------------------------------------------------------

    def _take_table(self, table: Table) -> list[Effect]:
        """Shows the game from its start on, and each state once."""
        before = self._table
        if self._seated is None or not is_news(before, table):
            return []
        self._table = table
        out: list[Effect] = [] if before is not None else [Send(self._seat_line(table, self._seated))]
        out += shown_to_end(before, table, with_clock=self._with_clock)
        return out if is_over(table) else [*out, *self._follow_offers(before, table, self._seated.seat)]

    def _seat_line(self, table: Table, seated: ef.Seated) -> str:
        line = f"seat {COLORS[seated.seat]} game={table.game_id} tc={write_time_control(table.time_control)}"
        return f"{line} resume={table.game_id}:{seated.secret}" if self._with_secret else line

    def _follow_offers(self, before: Table | None, table: Table, seat: int) -> list[Effect]:
        """Announces the opponent's offer once, and renews the player's offer if the player's own move ended it."""
        has_moved = before is not None and table.ply > before.ply
        if has_moved and seat not in table.to_act:
            self._offered = False
        elif has_moved:
            self._offering = False
        if is_draw_offered(table, seat) and not self._offered:
            self._offered = True
            return [Send(DRAW)]
        if self._offering and table.offer is None and has_moved:
            return [ef.OfferDraw()]
        return []
