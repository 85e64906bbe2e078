"""``plyhouse bot``: a client of a server that attaches engines as bots."""
