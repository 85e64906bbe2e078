"""Remote play over UHP: connections of all roles, over any transport. Each seat is a player of an ordinary game.

In dependency order:

* ``wire.py``: one connection, as provided by transports; ``line_driver.py``: drives a session over it
* ``seat_access.py``: access to a seat, by token; ``waiting_players.py``, ``matchmaking.py``: by criteria
* ``absences.py``: missing players; ``seat_connections.py``: the connection of each seat
* ``engine_matches.py``: connects the engines of a game with their leader (model A)
* ``context.py``: shared by all roles; ``player_roles.py``: drives players; ``watch_role.py``: drives spectators
* ``engine_seat.py``: plays the seat of an engine; ``engine_role.py``, ``main_role.py``: the connections of engines and
  of main viewers, which lead them (model A)
* ``roles.py``: the table of roles; ``acceptor.py``: the handshake

Transports are ``routes.sockets.uhp_socket`` and ``web.uhp_tcp``.
"""
