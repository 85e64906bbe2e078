"""Trees of variations, as analysis boards keep them: read from records with variations, and written as these.

``tree`` has the values, ``tree_formats`` the table of formats.
"""
