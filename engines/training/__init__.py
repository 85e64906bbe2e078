"""Training of networks: self-play, training, export and matches between the results.

In the order of the data:

* ``boards.py``: the boards on which a game is trained
* ``self_play.py``: games that searches play against themselves, and the examples taken from them
* ``examples.py``: examples in memory and on disk
* ``network.py``, ``fit.py``: the network, and fitting it to examples; these need torch (the extra ``train``)
* ``export.py``: a network as an ONNX file
* ``ladder.py``: matches between the networks of a run
* ``run.py``: the whole run, which can be stopped and continued at any time

Nothing here names a game: planes, policies, symmetries and the first teacher come from the rules.
"""
