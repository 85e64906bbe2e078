"""``plyhouse worker``: our engine pool as a client of several servers, which evaluates in place of theirs."""
