"""``plyhouse engine``: an engine of the V3 protocol on stdin and stdout. The pool or other programs search for it."""
