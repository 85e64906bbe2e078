"""Programs that connect to servers, engines and hosts: bots, bridges, engines on stdin and stdout, the arena's players.

They use a server as any client does, and import none of it. ``commands`` starts them.

* ``endpoints.py``: lines to and from a child process, a TCP connection, or this process's stdin and stdout
* ``stdio.py``: runs a session on stdin and stdout
* ``seat_programs.py``: a program that plays one seat of a game; ``kinds.py``: the kinds of such programs
* ``uhp/``, ``pyrat/``: the programs of each protocol
* ``arena/``, ``bot/``, ``engine/``: what ``plyhouse arena``, ``bot`` and ``engine`` do with any of them
"""
