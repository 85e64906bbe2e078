"""A sequential test while its match is played: when it ends, and what it says until then."""

from rich.progress import Progress, TaskID

from engines.sprt import SequentialTest, pair_counts

LINE_PAIRS = 50
"""Pairs between two lines of progress where there is no progress bar."""


class SprtWatch:
    """Takes the results of the games in order, and shows the state of the test at their progress bar."""

    def __init__(self, test: SequentialTest, progress: Progress, bar: TaskID) -> None:
        self._test = test
        self._progress = progress
        self._bar = bar
        self._waiting: list[float] = []
        """The result of the first game of a pair."""
        self._counts = pair_counts(())
        self.is_decided = False

    def add(self, value: float) -> None:
        """Counts the result of a game for the first bot: +1, 0 or -1."""
        self._waiting.append(value)
        if len(self._waiting) < 2:
            return
        pair = pair_counts(self._waiting)
        self._waiting = []
        losses, minus, even, plus, wins = (old + new for old, new in zip(self._counts, pair, strict=True))
        self._counts = losses, minus, even, plus, wins
        self.is_decided = self._test.verdict(self._counts) is not None
        self._progress.update(self._bar, description=self.text)
        if self._progress.disable and sum(self._counts) % LINE_PAIRS == 0:
            self._progress.console.print(self.text, markup=False, highlight=False, soft_wrap=True)

    @property
    def text(self) -> str:
        """The log-likelihood ratio, its bounds, and how many more games the test will probably take."""
        lower, upper = self._test.bounds
        left = self._test.expected_pairs(self._counts)
        more = "" if left is None else f", about {2 * left:.0f} more games"
        ratio = self._test.llr(self._counts)
        return f"{2 * sum(self._counts)} games: LLR {ratio:.2f} ({lower:.2f} .. {upper:.2f}){more}"
