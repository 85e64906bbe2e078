"""The lobby: live games, games that wait for a player, and their limits."""
