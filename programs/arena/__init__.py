"""The matches of ``plyhouse arena``: players that are programs or bots of a server, the log and the report."""
