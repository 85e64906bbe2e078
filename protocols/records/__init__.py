"""Records: played games as text. Pure codecs, one file per format, listed in ``formats``.

``record`` has the types that all formats share; ``replay`` plays a record through the rules.
"""
