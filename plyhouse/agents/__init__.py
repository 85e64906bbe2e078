"""Language models as players: what they can do at a server, as text. ``plyhouse mcp`` offers it over MCP.

``AgentTable`` has the actions and is independent of MCP; ``mcp_server`` makes tools and resources of them.
"""
