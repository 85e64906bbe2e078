"""Tournaments: what people ask of them, and the server that plays them."""
