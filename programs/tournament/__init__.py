"""The tournaments of ``plyhouse tournament``: rounds of games between bots, and their tables."""
