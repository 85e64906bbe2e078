"""Remote play over UHP: connections of all roles, over any transport. Each seat is a player of an ordinary game.

The sessions of the roles are in ``protocols.uhp.remote``; ``services.driver`` drives them. In dependency order:

* ``seat_access.py``: access to a seat, by token; ``waiting_players.py``, ``matchmaking.py``: by criteria
* ``absences.py``: missing players; ``seat_connections.py``: the connection of each seat
* ``engine_matches.py``: connects the engines of a game with their leader (model A)
* ``context.py``: shared by all roles; ``player_roles.py``: carries out the effects of players
* ``engine_lines.py``: the lines of an engine; ``engine_seat.py``: plays its seat; ``bot_session.py`` and
  ``bot_client.py``: an engine on the ladder; ``engine_role.py``: the connection of an engine (model A)
* ``main_role.py``: carries out the effects of main viewers, which lead engines
* ``roles.py``: the table of roles; ``acceptor.py``: the handshake

Transports are ``routes.sockets.uhp_socket`` and ``web.uhp_tcp``.
"""
