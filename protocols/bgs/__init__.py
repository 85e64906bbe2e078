"""The V3 bot protocol (bot game sessions), all three parties of it.

In dependency order:

* ``messages.py``: the messages as values, ``codec.py``: their text
* ``boards.py``: what bots may offer of each game; ``attach.py``: how an attachment is judged,
  ``config.py``: how a game is set up
* ``effects.py``, ``history.py``: the host of one session
* ``bot_connection.py``: the server's side of a bot client's socket
* ``engine.py``: the engine's side, ``client.py``: the bot client between the two
"""
