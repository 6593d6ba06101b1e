"""The best move that is known, without an engine to ask.  No I/O."""

from rookery_bridge.session.game_setup import VARIANT, Recall
from rookery_bridge.session.legal_move import as_told, choose_move
from rookery_bridge.session.pending import Search
from rookery_uci import Position


class Expectation:
    """How the last search expected the game to go on."""

    def __init__(self) -> None:
        self._position = Position()

    def learn(self, search: Search) -> None:
        """Take note of the best line of a search that is over."""
        moves = (*search.position.moves, *search.best_line())
        self._position = search.position._replace(moves=moves)

    def move(self, search: Search, recall: Recall) -> str:
        """Return the best move known for a search: legal, if there is one."""
        played = len(search.position.moves)
        expected = self._position.moves[played : played + 1]
        if self._position._replace(moves=self._position.moves[:played]) != search.position:
            expected = ()
        return choose_move(
            search.position,
            (*search.best_line()[:1], *expected),
            among=search.limits.searchmoves,
            chess960=recall.is_chess960,
            variant=recall.value(VARIANT).lower(),
        )


def position_of(search: Search, recall: Recall) -> Position:
    """Return the position of a search as an engine must hear it.

    Raises:
        UciError: it is refused.

    """
    variant = recall.value(VARIANT).lower()
    return as_told(search.position, chess960=recall.is_chess960, variant=variant)
