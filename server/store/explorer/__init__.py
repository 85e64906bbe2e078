"""The openings of finished games in the database."""
