"""Language models as players: ``/mcp``, whose tools send requests to this server's own API."""
