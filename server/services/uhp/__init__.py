"""Remote play over UHP: every connection of every role, on whatever transport. A seat is a player of an ordinary game.

In dependency order:

* ``wire.py``: one connection, as transports offer it; ``pump.py``: drives a session over it
* ``seating.py``: a seat of a game, by token; ``matchmaking.py``: by wish
* ``absences.py``: who is missing since when; ``places.py``: who holds which seat
* ``desk.py``: what all roles share; ``player.py``: drives players, ``watcher.py``: those who look on
* ``tables.py``: where engines and who leads them meet; ``engine_role.py``, ``main_role.py``: drive both (model A)
* ``roles.py``: the table of roles; ``reception.py``: the handshake

Transports are ``routes.uhp_socket`` and ``adapters.uhp_tcp``.
"""
