"""Tournaments as the server plays them: what has happened in one, and what may happen next. Pure."""
