"""Remote games of Hive over UHP: the server's sessions for each kind of connection, without I/O.

In dependency order:

* ``seek_criteria.py``: the game that a player looks for; ``handshake.py``: the first line of a connection
* ``effects.py``: effects and events of the sessions; ``game_lines.py``: a game as lines on the wire
* ``command_queue.py``: commands that wait for the current one
* ``watch.py`` (role watch), ``seat.py`` (role seat, model B)
* ``newgame.py``, ``server_engine.py``, ``viewer_seat.py`` (role viewer, model C)
* ``main.py`` (role main, model A); ``think_time.py``: the time of an engine for its move (role engine, model A)
* ``server_lines.py``: the client's reader of model B
"""
