"""What MzingaViewer talks to when its opponent sits at a server: UHP 1.0 to the viewer, model B to the server.

In dependency order: ``options.py`` what the viewer can set, ``game.py`` the game at the server, ``link.py`` when to
connect again, ``words.py`` effects and events, ``hearing.py`` the server's side, ``session.py`` the session.
``plyhouse uhp --server URL`` drives it.
"""
