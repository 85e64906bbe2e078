"""``/api/tournaments``: the calls, and their bodies."""
