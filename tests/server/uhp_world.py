"""A stage of pure sessions: the game is one of the domain, with neither a server nor a connection around it."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from engines import Position
from protocols.session import Close, Effect, Event, FrameLost, Send, Session
from protocols.uhp.engine import Product
from protocols.uhp.game_string import COLORS
from protocols.uhp.remote import effects as ef
from protocols.uhp.remote.handshake import Handshake, Role, read_line
from protocols.uhp.remote.main_session import MainSession
from protocols.uhp.remote.seat import SeatSession
from protocols.uhp.remote.seek_criteria import SeekCriteria, read_time_control
from protocols.uhp.remote.viewer_seat import ViewerSeatSession
from protocols.uhp.remote.watch import WatchSession
from protocols.values import LeaveReason, OfferKind, Seat, SeatKind, Table
from server.domain import commands as c
from server.domain.decide import decide
from server.domain.errors import ApiError
from server.domain.events import Created, Recorded
from server.domain.fold import apply
from server.domain.game import GameState
from server.domain.public_table import table_of
from server.services.uhp.seat_connections import SeatConnection

GAME = "g7Kd"
HUMAN, OPEN = Seat(SeatKind.HUMAN), Seat(SeatKind.OPEN)
TOKENS = {color.lower(): f"{color.lower()}-token" for color in COLORS}


@dataclass
class Peer:
    """One session. While it is ``held``, its effects wait, and it is told nothing of the game."""

    session: Any
    seat: int
    said: deque[str] = field(default_factory=lambda: deque(["ok"]))
    held: deque[Effect] | None = None
    refusal: tuple[str, str] | None = None
    """Code and text for the next effect, which is refused."""
    is_closed: bool = False
    tries: SeatConnection = field(default_factory=SeatConnection)


class World:
    """One game and its sessions."""

    def __init__(self) -> None:
        self._peers: dict[str, Peer] = {}
        self._now = 0
        self._is_alone = False
        """Whether nobody finds a game, or engines to lead, before the transcript says so."""
        self.wanted: Effect | None = None
        """The last effect of any session."""
        self._named: tuple[str, int] | None = None
        self._away: dict[int, int] = {}
        """Since when players are absent, by seat."""
        self._state: GameState

    @property
    def _table(self) -> Table:
        return table_of(self._state, self._now)

    # ---- the stage -------------------------------------------------------------------------------

    async def open(self, peer: str, handshake: str) -> None:
        given = read_line(f"plyhouse/1 {handshake}")
        seat = list(TOKENS.values()).index(given.token) if given.token else given.criteria.seat or 0
        session = self._session(given)
        self._peers[peer] = Peer(session, seat)
        self._carry_out(self._peers[peer], session.start())

    def _session(self, given: Handshake) -> Any:
        match given.role:
            case Role.SEAT:
                return SeatSession(given.criteria, with_clock=given.has_clock, with_secret=given.has_secret)
            case Role.VIEWER:
                return ViewerSeatSession(Product("Plyhouse v9", ()), given.criteria)
            case Role.WATCH:
                return WatchSession(with_clock=given.has_clock)
            case _:
                return MainSession("Plyhouse v9", self._table, is_analysis=given.is_analysis)

    async def say(self, peer: str, line: str) -> None:
        one = self._peers[peer]
        if not one.is_closed:
            self._carry_out(one, one.session.receive(line))

    async def hear(self, peer: str) -> str | None:
        one = self._peers[peer]
        assert one.said or one.is_closed, "nothing has been sent"
        return one.said.popleft() if one.said else None

    async def leave(self, peer: str) -> None:
        self._peers[peer].is_closed = True

    def unheard(self, peer: str) -> list[str]:
        return list(self._peers[peer].said)

    async def act(self, word: str, rest: list[str]) -> dict[str, str]:
        match word, rest:
            case "game", [kind, *options]:
                return self._create(kind, dict(option.split("=") for option in options))
            case "time", [seconds]:
                self._now += round(float(seconds) * 1000)
                self._command(c.Expire())
            case "page", [color, what, *more]:
                self._command(_command(_seat(color), what, " ".join(more)))
            case "takeback", [ply]:
                self._command(c.Propose(0, OfferKind.TAKEBACK, int(ply)))
                self._command(c.Accept(1, OfferKind.TAKEBACK))
            case "over", [winner, reason]:
                result = self._state.result
                assert result is not None
                assert result.winners == (() if winner == "draw" else (_seat(winner),))
                assert result.reason == reason
            case "named", [*move]:
                self._named = " ".join(move), self._state.ply
                self._tell_leader()
            case "engines", []:
                return {}
            case (("alone" | "away"), _):
                self._set_stage(word, rest)
            case _, [peer, *more]:
                self._race(word, self._peers[peer], more)
        return {}

    def _create(self, kind: str, options: dict[str, str]) -> dict[str, str]:
        position = Position("hive", kind, {"plyLimit": int(options.get("plyLimit", 500))})
        seats = (HUMAN, OPEN if "open" in options else HUMAN)
        control = read_time_control(options.get("tc", "-"))
        created = Created("hive", kind, position.config, {}, seats, 0, control)
        self._state = apply(GAME, None, Recorded(1, self._now, created))
        return {"game": GAME, **TOKENS}

    def _set_stage(self, word: str, rest: list[str]) -> None:
        """What holds from now on: that nobody is found, or that a player is away."""
        if word == "alone":
            self._is_alone = True
        else:
            self._away[_seat(rest[0])] = self._now

    def _race(self, word: str, peer: Peer, more: list[str]) -> None:
        """What only happens on this stage, where nothing comes at a time of its own."""
        match word, more:
            case "hold", []:
                peer.held = deque()
            case "tell", []:
                self._notify(peer, ef.TableChanged(self._table))
            case "do", [*last]:
                assert peer.held is not None
                self._do(peer, peer.held.pop() if last else peer.held.popleft())
            case "free", []:
                held, peer.held = peer.held or deque(), None
                for effect in held:
                    self._do(peer, effect)
                self._notify(peer, ef.TableChanged(self._table))
            case "refuse", [code, *text]:
                peer.refusal = code, " ".join(text)
            case "meet", []:
                self._is_alone = False
                self._do(
                    peer, ef.Lead() if isinstance(peer.session, MainSession) else ef.Seek(SeekCriteria())
                )
            case "none", text:
                self._notify(peer, ef.NotSeated(" ".join(text)))
            case "lost", []:
                self._notify(peer, FrameLost("line too long"))
            case _:
                raise AssertionError(f"nothing is called {word} {more}")

    # ---- the game --------------------------------------------------------------------------------

    def _command(self, command: c.Command, own: Peer | None = None) -> None:
        """Changes the game, and tells all sessions, first that of the player."""
        decision = decide(self._state, command, self._now)
        for event in decision.events:
            recorded = Recorded(self._state.version + 1, self._now, event)
            self._state = apply(GAME, self._state, recorded, decision.position)
        if not decision.events:
            return
        for peer in sorted(self._peers.values(), key=lambda peer: peer is not own):
            if peer.held is None:
                self._notify(peer, ef.TableChanged(self._table))
        self._tell_leader()

    def _tell_leader(self) -> None:
        """Engines have every position at once."""
        for peer in self._peers.values():
            if isinstance(peer.session, MainSession):
                self._notify(peer, ef.MatchChanged(self._named, self._state.ply))

    # ---- sessions --------------------------------------------------------------------------------

    def _notify(self, peer: Peer, event: Event) -> None:
        session: Session = peer.session
        if not peer.is_closed:
            self._carry_out(peer, session.notify(event))

    def _carry_out(self, peer: Peer, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    peer.said += text.split("\n")
                case Close():
                    peer.is_closed = True
                case _ if peer.held is not None:
                    peer.held.append(effect)
                case _:
                    self._do(peer, effect)

    def _do(self, peer: Peer, effect: Effect) -> None:
        refusal, peer.refusal = peer.refusal, None
        try:
            if refusal is None:
                self._try(peer, effect)
            else:
                self._notify(peer, ef.RefusedByGame(effect, *refusal))
        except ApiError as error:
            tries = peer.tries.try_again(self._state.ply) if error.code == "illegal-move" else 0
            self._notify(peer, ef.RefusedByGame(effect, error.code.value, error.text, tries))

    def _try(self, peer: Peer, effect: Effect) -> None:
        self.wanted = effect
        match effect:
            case ef.Seek() | ef.Lead() if self._is_alone:
                pass
            case ef.Seek():
                self._notify(peer, ef.Seated(peer.seat, GAME, list(TOKENS.values())[peer.seat]))
                self._notify(peer, ef.TableChanged(self._table))
            case ef.Follow():
                self._notify(peer, ef.TableChanged(self._table))
            case ef.Lead() | ef.BeginMatch():
                self._notify(peer, ef.MatchChanged(None, self._state.ply))
            case ef.AskEngine():
                self._named = None
            case ef.PlayMove(text=text):
                self._command(c.Move(peer.seat, text), peer)
            case ef.PlayForEngine(seat=seat, move=move, after=after):
                self._command(c.Move(seat, move, expected_moves=after, made_at=0), peer)
            case ef.ForfeitForEngine() | ef.GiveUp():
                self._command(_leave(peer, effect), peer)
            case ef.OfferDraw() | ef.ClaimEnd():
                self._command(self._agreement(peer.seat, effect), peer)
                self._notify(peer, ef.TakenByGame())
            case _:
                raise AssertionError(f"nobody carries out {effect}")

    def _agreement(self, seat: int, effect: ef.OfferDraw | ef.ClaimEnd) -> c.Command:
        if isinstance(effect, ef.OfferDraw):
            return c.Propose(seat, OfferKind.DRAW)
        return c.ClaimGame(seat, effect.kind, self._away, 60_000)


def _leave(peer: Peer, effect: ef.ForfeitForEngine | ef.GiveUp) -> c.Command:
    if isinstance(effect, ef.ForfeitForEngine):
        return c.Leave(effect.seat, note=effect.reason)
    return c.Leave(peer.seat, LeaveReason(effect.reason), effect.note)


def _command(seat: int, what: str, text: str) -> c.Command:
    """What a player does on the page."""
    match what:
        case "join":
            return c.Join(seat)
        case "moves":
            return c.Move(seat, text)
        case "resign":
            return c.Leave(seat)
        case "draw":
            return c.Propose(seat, OfferKind.DRAW)
        case "gone":
            return c.StopWaiting(seat)
        case "decline":
            return c.Reject(seat, OfferKind.DRAW)
        case _:
            return c.Abort(seat)


def _seat(color: str) -> int:
    return list(TOKENS).index(color)
