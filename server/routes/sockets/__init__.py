"""WebSockets: one file for each address, and the driver of their sessions."""
