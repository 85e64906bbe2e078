"""Playing Hive at a server over UHP: the server's side of every connection, as pure sessions.

In dependency order:

* ``wish.py``: the game that somebody looks for; ``handshake.py``: the first line of a connection
* ``words.py``: the effects and events of sessions; ``showing.py``: a game as the lines of the wire
* ``seat.py`` (role seat, model B), ``watch.py`` (role watch), ``guest.py`` (role viewer, model C)
* ``budget.py``, ``engine_seat.py`` (role engine), ``main_viewer.py`` (role main): model A
* ``news.py``: what a client of model B reads
"""
