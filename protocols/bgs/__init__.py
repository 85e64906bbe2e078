"""The V3 bot protocol (bot game sessions), for all three parties: server, bot client and engine.

In dependency order:

* ``messages.py``: the messages as values, ``codec.py``: their encoding
* ``boards.py``: what bots may offer for each game; ``attach.py``: validation of attach messages,
  ``config.py``: the configuration of a session's game
* ``effects.py``, ``history.py``: the host's side of one session
* ``answers.py``: evaluations as responses, and whether a response fulfils its request
* ``bot_connection.py``: the server's side of a bot client's socket
* ``engine.py``: the engine's side, ``client.py``: the bot client between server and engines
"""
