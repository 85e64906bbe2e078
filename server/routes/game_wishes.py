"""Carries out what the session of a game socket wishes. A refusal becomes an event of the session."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from protocols.play import actions as a
from protocols.play import events as ev
from protocols.play import wishes as w
from protocols.play.chat import Say
from protocols.session import Effect, Event
from server.domain.errors import ApiError
from server.domain.events import OfferKind
from server.domain.game import GameState
from server.services.chat import Voice
from server.services.games import Games


class Wishes:
    """The wishes of one socket; ``seat`` None: a spectator's, who can only speak."""

    def __init__(self, games: Games, voice: Voice, game_id: str, seat: int | None) -> None:
        self._games = games
        self._voice = voice
        self._game_id = game_id
        self._seat = seat

    async def __call__(self, effect: Effect) -> Sequence[Event]:
        """Does what is wished; what the session is to be told of it."""
        match effect:
            case w.AskTime():
                return [ev.TimeTold(self._games.now())]
            case Say():
                refused = await self._voice.say(effect)
                return [] if refused is None else [refused]
            case a.Act():
                return [await self._act(effect)]
            case a.RefuseAction(asked=asked, code=code, message=message):
                return [a.ActionRefused(asked, self._games.now(), code, message)]
        try:
            return await self._do(effect)
        except ApiError as refusal:
            return [ev.Refused(refusal.body())]

    async def _act(self, act: a.Act) -> Event:
        try:
            await self._do(act.wish)
        except ApiError as refusal:
            return a.refusal(act.asked, self._games.now(), refusal.body())
        return a.ActionDone(act.asked, self._games.now())

    async def _do(self, effect: Effect) -> Sequence[Event]:
        if self._seat is None:
            raise TypeError(f"a spectator wishes {type(effect).__name__}")
        match effect:
            case w.SubmitMove():
                return [await self._move(effect, self._seat)]
            case w.HandleOffer():
                await _STEPS[effect.step](self._games, self._game_id, self._seat, OfferKind(effect.kind))
            case w.Resign():
                await self._games.resign(self._game_id, self._seat)
            case w.GiveTime(seconds=seconds):
                await self._games.give_time(self._game_id, self._seat, seconds)
        return []

    async def _move(self, wish: w.SubmitMove, seat: int) -> Event:
        ack = await self._games.move(
            self._game_id,
            seat,
            wish.text,
            expected_ply=wish.expected_ply,
            client_msg_id=wish.message_id,
        )
        return ev.MoveTaken(ack.ply, wish.message_id, ack.pending)


_Step = Callable[[Games, str, int, OfferKind], Coroutine[Any, Any, GameState]]

_STEPS: Mapping[w.OfferStep, _Step] = {
    w.OfferStep.OFFER: Games.propose,
    w.OfferStep.ACCEPT: Games.accept,
    w.OfferStep.REJECT: Games.reject,
}
