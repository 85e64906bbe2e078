"""Records: played games as text. Pure codecs, one file per format; ``formats`` lists them.

``record`` holds what all of them share, ``replay`` plays a record through the rules.
"""
