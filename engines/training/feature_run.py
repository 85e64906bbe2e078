"""A training run of an evaluator on features: self-play, fitting, and the files that the core is compiled with.

Each generation plays games with the evaluator that the core has, so a second generation learns from the first one once
the core has been built with its network. The folder of the run keeps the positions of all generations.
"""

from collections.abc import Callable
from pathlib import Path

from engines import Position
from engines.executors.executor import TaskExecutor
from engines.training.features import (
    FeatureExamples,
    FeatureGames,
    FeatureRunSettings,
    play_games,
    variants_of,
)
from engines.training.fit_perceptron import FitOptions, Fitted, fit
from engines.training.perceptron import Perceptron

MAIN_SHARE = 0.6
"""Share of the games in the main variant; the others have the rest in equal parts."""


def run(
    settings: FeatureRunSettings,
    folder: Path,
    say: Callable[[str], None],
    executor: TaskExecutor | None = None,
) -> Fitted:
    """Plays, fits, and writes ``examples-SEED.npz``, ``perceptron.bin`` and ``perceptron.md`` to the folder.

    ``executor``: what plays, by default one game after another.
    Raises ValueError if the folder has positions of this seed already, or there are too few positions.
    """
    path = folder / f"examples-{settings.seed}.npz"
    if path.exists():
        raise ValueError(f"{path} exists: another seed plays other games")
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for part in play_games(feature_games(settings), settings.seed, settings.minutes * 60, executor):
        parts.append(part)
        if len(parts) % 100 == 0:
            say(f"{len(parts)} games, {sum(map(len, parts))} positions")
    if not parts:
        raise ValueError(f"no game was finished in {settings.minutes:g} minutes")
    FeatureExamples.join(parts).save(path)
    examples = FeatureExamples.join(
        [FeatureExamples.load(each) for each in sorted(folder.glob("examples-*.npz"))]
    )
    options = FitOptions(seed=settings.seed)
    fitted = fit(examples, options)
    Perceptron.rounded(fitted.network).save(folder / "perceptron.bin")
    (folder / "perceptron.md").write_text(card(settings, options, examples, fitted))
    say(f"errors: {fitted.value_error:.4f} of values, {fitted.result_error:.4f} of results")
    return fitted


def feature_games(settings: FeatureRunSettings) -> FeatureGames:
    """The games of a run. Raises BadConfig for an unknown game."""
    main = Position(settings.game, settings.variant)
    variants = [main.variant] if settings.variant else variants_of(settings.game)
    rest = (1 - MAIN_SHARE) / max(1, len(variants) - 1)
    shares = dict.fromkeys(variants, rest) | {variants[0]: MAIN_SHARE}
    return FeatureGames(settings.game, shares, settings.evaluator)


def card(settings: FeatureRunSettings, options: FitOptions, examples: FeatureExamples, fitted: Fitted) -> str:
    """What a reader has to know of a network."""
    played = feature_games(settings)
    share = options.value_share
    number = int(examples.games.max()) + 1
    return f"""# A network for {settings.game}

Made by `plyhouse train {settings.game}`. Not edited by hand.

| | |
|---|---|
| games | {number} of self-play, {played.samples} samples a move, evaluator `{settings.evaluator}` |
| positions | {len(examples)}, half of them after a random move |
| latest seed | {settings.seed} |
| target | {share:g} · value of the search + {1 - share:g} · result, where it is known |
| fitting | {options.epochs} epochs, batches of {options.batch}, rate {options.rate:g}, seed {options.seed} |
| mean squared error in other games | {fitted.value_error:.4f} of values, {fitted.result_error:.4f} of results |
"""
