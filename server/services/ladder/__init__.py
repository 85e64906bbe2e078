"""The ladder: its results and ratings, and the server that pairs its players."""
