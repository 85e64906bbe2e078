"""The opening explorer: counts the games that have ended, and reads the openings that come with Plyhouse."""
