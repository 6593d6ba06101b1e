"""What is written of a job: the results game by game, the players' tallies, how far it is.

It belongs to one thread, in which all of this is done while engines are at work: to write a
game costs as much as to search a position or two.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rookery_analysis.analysed_game import Outcome
from rookery_analysis.annotation import annotated, record
from rookery_analysis.checkpoint import Progress, State
from rookery_analysis.game_review import Review
from rookery_analysis.game_source import Item
from rookery_analysis.player_tally import Tally, tallies
from rookery_analysis.result_files import ResultFile


@dataclass(frozen=True, slots=True)
class Results:
    """Where it goes: the annotated games, and a line of JSON for each; None is nowhere."""

    games: ResultFile | None
    records: ResultFile | None

    @property
    def files(self) -> list[ResultFile]:
        """Those that there are."""
        return [each for each in (self.games, self.records) if each]

    def write(self, review: Review, engine: str) -> None:
        """Append a game."""
        if self.records:
            self.records.write(record(review))
        if self.games:
            self.games.write(annotated(review, engine))


class Ledger:
    """Writes games in the order in which it gets them; `engine` is its name, for the games."""

    def __init__(self, results: Results, progress: Progress, engine: str) -> None:
        self.state = progress.state
        self._results = results
        self._progress = progress
        self._engine = engine
        self._players: dict[str, Tally] = {}  # since the last time that all was on the disk
        self._is_doubtful = False  # what the disk has, since it did not take all

    def write(self, games: Iterable[tuple[Item, Outcome]]) -> None:
        """Append games.

        Raises:
            ServerError: they cannot be written.

        """
        for item, outcome in games:
            review = Review.of(outcome)
            self._results.write(review, self._engine)
            for name, tally in tallies(review):
                self._players.setdefault(name, Tally()).add(tally)
            before = self.state
            self.state = State(
                source=item.source,
                before=item.before,
                mark=item.text.end,
                digest=item.digest,
                lengths=tuple(each.length for each in self._results.files),
                games=before.games + 1,
                skipped=before.skipped + (outcome.status == "skipped"),
                positions=before.positions + sum(each is not None for each in outcome.findings),
            )

    def finish(self, sources: int) -> None:
        """Take note that so many sources have no more games."""
        self.state = replace(self.state, source=sources)

    def sync(self) -> None:
        """Put all on the disk, results first; after a failure it does nothing.

        For a disk that has failed once may say of the same data that it has them, and not
        have them: Linux tells of a page that could not be written only once.

        Raises:
            ServerError: it cannot be written.

        """
        if self._is_doubtful:
            return
        self._is_doubtful = True
        for each in self._results.files:
            each.sync()
        self._progress.commit(self.state, self._players)
        self._players = {}
        self._is_doubtful = False
