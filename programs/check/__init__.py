"""``plyhouse check``: conformance of programs to their protocol, for their authors.

In dependency order:

* ``findings.py``: what was found
* ``conversation.py``: what was said to the program, and what it said
* ``steps.py``: runs the steps of a script, and starts the program again after one that it has failed
* ``positions.py``: games and positions to ask about
* ``report.py``: findings as a table and as JSON
* ``sessions.py``: the requests of the V3 protocol, and what an answer has to be; ``session_steps.py``: the script
* ``connecting.py``, ``bot_server.py``: programs that connect, and the server for bot clients
* ``engine.py``, ``client.py``: the rest of the script for engines and for clients of the V3 protocol
* ``uhp_engine.py``, ``pyrat_bot.py``, ``pyrat_host_bot.py``: programs of the other protocols that are asked
* ``uhp.py``, ``pyrat.py``, ``pyrat_host.py``: the scripts for them; ``kinds.py`` lists all kinds
"""
