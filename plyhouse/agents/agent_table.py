"""What an agent can do at a server: each method is one action, takes plain values and returns text.

The server checks everything; this module only asks, and explains. A refusal says why, and shows the position again.
Nothing is guessed: text that is not exactly a move is refused, and never searched for one.
"""

import asyncio
from contextlib import aclosing
from typing import Annotated, Any

from pydantic import Field

from plyhouse.agents import game_text
from plyhouse.agents.agent_client import AgentClient
from plyhouse.agents.illegal_tries import IllegalTries
from plyhouse.agents.requests import SeenGame
from plyhouse.wire import Json, NewSeat, ServerError

RETRIES = 3
"""How often an agent may try again in a turn after an illegal move, by default."""

LONGEST_WAIT = 55
"""The most seconds of one wait: many MCP clients give up a call after a minute."""

Page = Annotated[int, Field(ge=1, le=100_000)]
Seconds = Annotated[int, Field(ge=0, le=LONGEST_WAIT)]


class AgentRefusal(Exception):
    """An action was refused, and changed nothing; the text says why and what to do."""


class AgentTable:
    """The actions of agents at one server. The tokens that they pass decide which seats they play."""

    def __init__(self, client: AgentClient, retries: int = RETRIES) -> None:
        """``retries``: how often a seat may try again in a turn after an illegal move, before it resigns."""
        self._client = client
        self._tries = IllegalTries(retries)

    # ---- what there is -----------------------------------------------------------------------

    async def list_games(self) -> str:
        """List the games that can be played here, with their variants and numbers of seats."""
        return game_text.games_text(await self._client.rules())

    async def rules(self, game: str) -> str:
        """Explain a game: its aim, how moves are written, and what is special here. Read it before you play."""
        known = await self._client.rules()
        for one in known:
            if one["game"] == game:
                return game_text.rules_text(one)
        names = ", ".join(one["game"] for one in known)
        raise AgentRefusal(f"There is no game {game!r}; the games are: {names}.")

    async def list_bots(self, game: str) -> str:
        """List the bots that can be opponents in a game; create_game takes their ids."""
        return game_text.bots_text(await self._client.bots(game))

    async def open_games(self, game: str | None = None) -> str:
        """List public games with a free seat, which join_game can take."""
        return game_text.listed_text(await self._client.listed("open", game))

    # ---- taking a seat -----------------------------------------------------------------------

    async def create_game(
        self,
        game: str,
        opponents: list[str] | None = None,
        seat: int = 0,
        variant: str | None = None,
        config: dict[str, Any] | None = None,
        name: str | None = None,
        initial_seconds: int | None = None,
        increment_seconds: int = 0,
        listed: bool = False,  # noqa: FBT001, FBT002 - an argument of a tool, which is named
    ) -> str:
        """Create a game, in which you have `seat` (0 moves first). Remember the game's id and your token.

        `opponents`: one for each other seat, in the order of the seats: the id of a bot (see list_bots; default:
        one plyhouse:easy), or `open` for whoever joins. `config`: size of the board and so on, as rules tells.
        `initial_seconds` and `increment_seconds`: the clock; without them there is none. `listed`: whether the
        lobby shows the free seats.
        """
        others: list[str | Json] = list(opponents or ["plyhouse:easy"])
        if not 0 <= seat <= len(others):
            raise AgentRefusal(f"seat is {seat}, but with {len(others)} opponents it is 0 to {len(others)}.")
        mine = {"kind": "human"} if name is None else {"kind": "human", "name": name}
        clock = None if initial_seconds is None else (initial_seconds, increment_seconds)
        new = await self._client.create(
            game,
            [*others[:seat], mine, *others[seat:]],
            variant=variant,
            config=config,
            time_control=clock,
            more={"listed": True} if listed else None,
        )
        lines = [_access(new.game_id, one, is_mine=one.seat == seat) for one in new.seats if one.token]
        return "\n".join((*lines, "", await self._position(new.game_id, new.seats[seat].token)))

    async def join_game(self, game_id: str, name: str | None = None, seat: int | None = None) -> str:
        """Take a free seat of a game, by default the first. Remember your token."""
        try:
            joined = await self._client.join(game_id, name, seat)
        except ServerError as refused:
            raise await self._refusal(refused, game_id, None) from refused
        access = f"game_id: {game_id}\nyour seat: {joined.seat}\nyour token: {joined.token}"
        return f"{access}\n\n{await self._position(game_id, joined.token)}"

    # ---- playing -----------------------------------------------------------------------------

    async def position(self, game_id: str, token: str | None = None) -> str:
        """Show the position of a game, with the legal moves if it is your turn. Without a token, you watch."""
        return await self._position(game_id, token)

    async def legal_moves(self, game_id: str, token: str, page: Page = 1, after: str = "") -> str:
        """List your legal moves, a page at a time.

        `after`: the beginning of a move, such as its first action; then what may follow it is listed.
        """
        try:
            seen = await self._client.seen(game_id, token, after)
        except ServerError as refused:
            raise await self._refusal(refused, game_id, token) from refused
        self._check_turn(seen)
        return game_text.moves_text(seen, after, page)

    async def check_move(self, game_id: str, token: str, move: str) -> str:
        """Say whether a move would be legal now. It is not played, and does not count as a try."""
        try:
            seen = await self._client.seen(game_id, token, move)
        except ServerError as refused:
            raise await self._refusal(refused, game_id, token) from refused
        self._check_turn(seen)
        if seen.can_finish and move:
            return f"{move} is legal."
        following = "; ".join(seen.state.legal.get(-1 if seen.seat is None else seen.seat, ())[:5])
        return f"{move!r} is the beginning of a move, and not a whole one. It may go on with: {following}; …"

    async def play(self, game_id: str, token: str, move: str, ply: int | None = None) -> str:
        """Play a move. Give the move alone, written as in the list of legal moves, without any other text.

        `ply`: the ply of the position that you have seen; if the game has gone on since, the move is refused. After
        too many illegal moves in a turn, your seat resigns.
        """
        try:
            await self._client.move(game_id, token, move, ply)
        except ServerError as refused:
            if refused.body.get("field") != "move" and refused.code != "too-large":
                raise await self._refusal(refused, game_id, token) from refused
            raise await self._illegal(refused, game_id, token) from refused
        return f"You have played {move}.\n\n{await self._position(game_id, token)}"

    async def wait_for_turn(self, game_id: str, token: str, seconds: Seconds = 30) -> str:
        """Wait until it is your turn or the game is over, at most so many seconds; then show the position."""
        seen = await self._seen(game_id, token)
        try:
            async with asyncio.timeout(seconds), aclosing(self._client.follow(game_id, token)) as states:
                async for state in states:
                    if state.is_over or seen.seat in state.to_act:
                        break
        except TimeoutError:
            return f"Not your turn yet, after {seconds} s.\n\n{await self._position(game_id, token)}"
        return await self._position(game_id, token)

    async def resign(self, game_id: str, token: str) -> str:
        """Resign the game. This cannot be taken back."""
        try:
            await self._client.resign(game_id, token)
        except ServerError as refused:
            raise await self._refusal(refused, game_id, token) from refused
        return f"You have resigned.\n\n{await self._position(game_id, token)}"

    # ---- looking at games --------------------------------------------------------------------

    async def analyse(
        self,
        game_id: str,
        ply: Annotated[int, Field(ge=0)] | None = None,
        samples: Annotated[int, Field(ge=1, le=100_000)] = 1_000,
        lines: Annotated[int, Field(ge=1, le=20)] = 3,
    ) -> str:
        """Evaluate a position of a game, by default the current one; refused where assistance is not allowed.

        `lines`: how many candidate moves to show, each with what is expected to follow.
        """
        try:
            at = (await self._client.state(game_id)).ply if ply is None else ply
            found = await self._client.study(game_id, at, samples, lines)
        except ServerError as refused:
            raise await self._refusal(refused, game_id, None) from refused
        return game_text.study_text(found)

    async def record(self, game_id: str, record_format: str = "json") -> str:
        """Show the record of a game: who played, all moves, the result. Other formats: see the records' page."""
        return await self._client.record(game_id, record_format)

    async def record_json(self, game_id: str) -> str:
        """The record of a game as JSON."""
        return await self.record(game_id)

    # ---- refusals ----------------------------------------------------------------------------

    async def _illegal(self, refused: ServerError, game_id: str, token: str) -> AgentRefusal:
        """The refusal of an illegal move. When no retry was left, the seat resigns."""
        seen = await self._seen(game_id, token)
        left = self._tries.left(game_id, token, seen.state.ply)
        if left > 0:
            times = "once more" if left == 1 else f"{left} times more"
            hint = f"Nothing was played. You may try {times} in this turn; after that, your seat resigns."
            return await self._refusal(refused, game_id, token, hint)
        try:
            await self._client.resign(game_id, token)
        except ServerError as other:
            return await self._refusal(other, game_id, token)
        hint = "That was one illegal move too many in a turn: your seat has resigned."
        return await self._refusal(refused, game_id, token, hint)

    async def _refusal(
        self, refused: ServerError, game_id: str, token: str | None, hint: str = "Nothing has changed."
    ) -> AgentRefusal:
        """What the server said, and the position if it can be seen."""
        try:
            position = await self._position(game_id, token)
        except (AgentRefusal, ServerError):
            return AgentRefusal(refusal_text(refused))
        return AgentRefusal(f"{refusal_text(refused)}\n{hint}\n\n{position}")

    @staticmethod
    def _check_turn(seen: SeenGame) -> None:
        if seen.seat not in seen.state.to_act:
            raise AgentRefusal(f"Refused: it is not your turn.\n\n{game_text.position_text(seen)}")

    async def _position(self, game_id: str, token: str | None) -> str:
        return game_text.position_text(await self._seen(game_id, token))

    async def _seen(self, game_id: str, token: str | None) -> SeenGame:
        return await self._client.seen(game_id, token)


def refusal_text(refused: ServerError) -> str:
    """What a server said when it refused something."""
    wait = "" if refused.retry_after_ms is None else f" Try again in {refused.retry_after_ms} ms."
    code = f" ({refused.code})" if refused.code else ""
    return f"Refused{code}: {refused}{wait}"


def _access(game_id: str, seat: NewSeat, *, is_mine: bool) -> str:
    if is_mine:
        return f"game_id: {game_id}\nyour seat: {seat.seat}\nyour token: {seat.token}"
    return f"token of seat {seat.seat}, for whoever plays it: {seat.token}"
