"""Training of networks: self-play, training, export and matches between the results.

In the order of the data:

* ``boards.py``: the boards on which a game is trained
* ``self_play.py``, ``producer.py``: games that searches play against themselves, and the examples taken from them;
  ``self_play_engines.py``: what runs these searches
* ``examples.py``: examples in memory and on disk
* ``network.py``, ``fit.py``: the network, and fitting it to examples
* ``export.py``, ``quantise.py``: a network as an ONNX file, in floating point and in integers
* ``ladder.py``, ``plots.py``: matches between the networks of a run, and how it went
* ``backend.py``: where all that is done; ``ray_self_play.py``, ``ray_trainer.py``: on a Ray cluster
* ``settings.py``, ``run.py``: the whole run, which can be stopped and continued at any time

What computes with networks needs torch (the extra ``train``): ``network``, ``fit``, ``export``, ``quantise``,
``plots``, ``ray_trainer``, ``backend`` and ``run``.

For games without networks, whose evaluators are in the core:

* ``features.py``: games of self-play, and their positions as features of an evaluator
* ``perceptron.py``: the network in whole numbers, and its file; ``fit_perceptron.py`` fits it, and needs torch
* ``feature_run.py``: the whole run
* ``fit_weights.py``: the weights of an evaluator that is a formula, by least squares, without torch

Nothing here names a game: planes, features, policies, symmetries and the first teacher come from the rules.
"""
