"""The documents of look-ups without an engine: tablebases and the explorer (see `schema.py`)."""

from typing import Literal

from rookery_server.api.schema import AnswerDocument, Fen, Moves, RequestDocument
from rookery_server.tablebases.tables import Category


class LookupQuery(RequestDocument):
    """The position that is looked up, as the members of a query."""

    fen: Fen | None = None
    moves: Moves = ""


class TablebaseMove(AnswerDocument, kw_only=True):
    """A move; `category` and `dtz` are those of the position behind it, for its side to move.

    So the best move has the category `loss`, if there is one that wins.  `zeroing` moves a pawn or
    captures.
    """

    uci: str
    san: str
    category: Category
    dtz: int | None = None
    zeroing: bool = False
    checkmate: bool = False
    stalemate: bool = False
    insufficient_material: bool = False


class TablebaseResult(AnswerDocument, kw_only=True):
    """A position in the tablebases, and its moves, best first.

    `category` is for the side to move, with the fifty-move rule and the FEN's count of it: a
    `cursed-win` and a `blessed-loss` are draws by that rule.  Whether it makes a draw is not sure
    in a `syzygy-win`, as DTZ may be rounded, and in a `maybe-win`, as there is no table of DTZ; so
    it is with `-loss`.  `dtz`: plies to the next capture or pawn move with best play; it may be one
    too small.  It is negative for the side that loses.  `reason` says why a position is `unknown`.
    """

    fen: str
    category: Category
    dtz: int | None = None
    checkmate: bool = False
    stalemate: bool = False
    insufficient_material: bool = False
    reason: str | None = None
    moves: list[TablebaseMove]


class ExplorerMove(AnswerDocument, kw_only=True):
    """A move that was played, and how its games ended: `white` and `black` are the wins of each.

    `average_rating` is that of the players, `last_year` the one in which it was last played.  In an
    opening book a move has no games, and a `weight` instead.
    """

    uci: str
    san: str
    white: int
    draws: int
    black: int
    average_rating: int | None = None
    last_year: int | None = None
    weight: int | None = None


class ExplorerGame(AnswerDocument, kw_only=True):
    """A game of the explorer; `GET /v1/explorer/games/{id}` has its moves."""

    id: int
    white: str
    black: str
    white_rating: int | None = None
    black_rating: int | None = None
    result: str
    event: str = "?"
    year: int | None = None


class ExplorerResult(AnswerDocument, kw_only=True):
    """The moves that were played in a position, the most frequent first.

    `name` is that of all the games; `games` are some of those with the position, of the highest
    ratings.  An opening book has no games: its moves have weights.
    """

    name: str
    kind: Literal["games", "book"] = "games"
    fen: str
    white: int
    draws: int
    black: int
    moves: list[ExplorerMove]
    games: list[ExplorerGame]
