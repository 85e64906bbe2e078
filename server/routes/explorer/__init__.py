"""The opening explorer over HTTP."""
