"""The tournaments of ``plyhouse tournament``: rounds of games of two seats between bots, and their tables."""
