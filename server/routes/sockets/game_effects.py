"""Carries out the effects of a game socket's session. An error becomes an event of the session."""

from collections.abc import Sequence
from functools import partial

from protocols.play import actions
from protocols.play import client_frames as frames
from protocols.play import events as ev
from protocols.play.chat_messages import AskChat, Say
from protocols.session import Effect, Event
from protocols.values import OfferKind
from server.domain.errors import ApiError
from server.routes.services import Services
from server.routes.sockets.socket_connection import Socket
from server.services.error_body import error_body
from server.services.games.chat_room import ChatParticipant


class GameEffects:
    """The effects of one socket. ``seat`` is None for a spectator, who can only chat."""

    def __init__(
        self,
        services: Services,
        participant: ChatParticipant,
        game_id: str,
        seat: int | None,
        socket: Socket,
    ) -> None:
        self._games = services.games
        self._claims = services.claims
        self._lags = services.lags
        self._participant = participant
        self._game_id = game_id
        self._seat = seat
        self._socket = socket
        self._silent_players = services.silent_players

    async def __call__(self, effect: Effect) -> Sequence[Event]:
        """Carries out an effect and returns the events that the session is notified of."""
        match effect:
            case frames.AskTime():
                if self._seat is not None:
                    self._silent_players.heard(self._socket)
                return [ev.ServerTime(self._games.now())]
            case AskChat():
                return [await self._participant.kept()]
            case Say():
                refused = await self._participant.say(effect)
                return [] if refused is None else [refused]
            case actions.Act():
                return [await self._act(effect)]
            case actions.RefuseAction(asked=asked, code=code, message=message):
                return [actions.ActionRefused(asked, self._games.now(), code, message)]
        try:
            return await self._do(effect)
        except ApiError as refusal:
            message_id = effect.message_id if isinstance(effect, frames.SubmitMove) else None
            return [ev.RequestRefused(error_body(refusal), message_id)]

    async def _act(self, act: actions.Act) -> Event:
        try:
            await self._do(act.wish)
        except ApiError as refusal:
            return actions.refusal(act.asked, self._games.now(), error_body(refusal))
        return actions.ActionDone(act.asked, self._games.now())

    async def _do(self, effect: Effect) -> Sequence[Event]:
        if self._seat is None:
            raise TypeError(f"a spectator cannot do {type(effect).__name__}")
        match effect:
            case frames.SubmitMove():
                return [await self._move(effect, self._seat)]
            case frames.HandleOffer():
                await self._offer(effect.step, self._seat, OfferKind(effect.kind))
            case frames.Resign():
                await self._games.resign(self._game_id, self._seat)
            case frames.ClaimResult(kind=kind):
                await self._claims.claim(self._game_id, self._seat, kind)
            case frames.GiveTime(seconds=seconds):
                await self._games.give_time(self._game_id, self._seat, seconds)
        return []

    async def _move(self, submitted: frames.SubmitMove, seat: int) -> Event:
        ack = await self._games.move(
            self._game_id,
            seat,
            submitted.text,
            expected_ply=submitted.expected_ply,
            client_msg_id=submitted.message_id,
            lag_ms=partial(self._lags.round_trip_ms, (self._game_id, seat)),
        )
        return ev.MoveTaken(ack.ply, submitted.message_id, ack.pending)

    async def _offer(self, step: frames.OfferStep, seat: int, kind: OfferKind) -> None:
        match step:
            case frames.OfferStep.OFFER:
                await self._games.propose(self._game_id, seat, kind, address=self._socket.address)
            case frames.OfferStep.ACCEPT:
                await self._games.accept(self._game_id, seat, kind, address=self._socket.address)
            case frames.OfferStep.REJECT:
                await self._games.reject(self._game_id, seat, kind)
