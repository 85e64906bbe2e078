"""What games of the ladder add to the database, charged to the addresses of the clients whose bots play them.

Every server charges all games, also those that it has not started, so that the one that starts them knows the accounts.
"""

from collections.abc import Sequence
from typing import Final

from server.domain.ladder.players import bot_of
from server.services.address_accounts import AddressAccounts
from server.services.bots.bot_registry import BotRegistry, client_of

GAME_BYTES: Final = 3500
"""About what a game takes in the database without its moves; charged when it begins."""

MOVE_BYTES: Final = 160
"""About what a move takes, with its clocks and the index; charged when the game has ended."""


class LadderBytes:
    """The accounts of the bots' authors. Those who play a game share its costs; built-in levels pay nothing."""

    def __init__(self, registry: BotRegistry, accounts: AddressAccounts) -> None:
        self._registry = registry
        self._accounts = accounts
        self._payers: dict[str, Sequence[str]] = {}
        """The addresses that pay for each running game."""

    def begin(self, game_id: str, players: Sequence[str]) -> None:
        """Charges the beginning of a game."""
        addresses = (self._address(bot_of(player)) for player in players)
        self._payers[game_id] = [address for address in addresses if address is not None]
        self._charge(self._payers[game_id], GAME_BYTES)

    def end(self, game_id: str, moves: int) -> None:
        """Charges the moves of a game that has ended."""
        self._charge(self._payers.pop(game_id, ()), MOVE_BYTES * moves)

    def is_spent(self, bot_id: str) -> bool:
        """Whether the author of a bot has added as much as is allowed."""
        return self._accounts.wait(self._address(bot_id)) > 0

    def _charge(self, payers: Sequence[str], size: int) -> None:
        for address in payers:
            self._accounts.charge(address, size / len(payers))

    def _address(self, bot_id: str) -> str | None:
        attached = self._registry.client(client_of(bot_id))
        return None if attached is None else attached.told.address
