"""Tests of the page in a real browser. A package, so that fixtures with package scope end with it."""
