"""The search of a leaf: what an engine is asked, and what it has found.  No I/O.

A leaf is searched as if it were the first position of a game, so what is found depends on nothing
that was searched before it.
"""

import chess

from rookery_analysis.engine_conversation import EngineConversation, FaultyEngineError
from rookery_protocol.errors import ConfigError
from rookery_protocol.legality import STANDARD, VARIANTS
from rookery_server.growth.finding import Finding, Leaf, Line
from rookery_server.growth.value import mate_in, score_value
from rookery_server.projects.stored_project import ProjectRoot
from rookery_uci import CHESS960, VARIANT, Limits, Position, Score, SetOption
from rookery_uci.uci_client import UciSearch

MULTI_PV = "MultiPV"


def position_of(leaf: Leaf, root: ProjectRoot) -> Position:
    """Return the position of a leaf as engines read it: their FENs name castling rights by side."""
    board = VARIANTS[root.variant](f"{leaf.key} 0 1", chess960=root.chess960)
    return Position(board.fen(en_passant="legal"))


def limits_of(leaf: Leaf) -> Limits:
    """Return the limits of a leaf's search."""
    return Limits(leaf.moves, nodes=leaf.nodes, movetime=leaf.movetime)


def options_of(leaf: Leaf, root: ProjectRoot, conversation: EngineConversation) -> list[SetOption]:
    """Return the options for a leaf, beside those of its project's engine.

    Raises:
        ConfigError: the engine does not play by the rules of the project.

    """
    name = conversation.identity.name
    wanted = []
    if conversation.has_option(CHESS960):
        wanted.append(conversation.setoption(CHESS960, str(root.chess960)))
    elif root.chess960:
        raise ConfigError(f"{name} plays no Chess960")
    if root.variant != STANDARD:
        try:
            wanted.append(conversation.setoption(VARIANT, root.variant))
        except ConfigError:
            raise ConfigError(f"{name} does not play {root.variant!r}") from None
    if conversation.has_option(MULTI_PV):
        wanted.append(conversation.setoption(MULTI_PV, str(leaf.lines)))
    return wanted


def read_finding(search: UciSearch, leaf: Leaf, root: ProjectRoot, engine: int) -> Finding:
    """Read what a search has found.

    Args:
        search: that is answered.
        leaf: that was searched.
        root: that of the project.
        engine: the index of the engine in the project's list.

    Raises:
        FaultyEngineError: the engine has said no score with a move that was to be searched.

    """
    board = VARIANTS[root.variant](f"{leaf.key} 0 1", chess960=root.chess960)
    values: dict[str, int] = {}
    infos = search.infos()
    for info in infos:
        move = _move_of(info.pv[0], board)
        if move is None or (leaf.moves and move not in leaf.moves) or info.score is None:
            continue
        # A search that has ended within a depth may have the move at two places.
        values.setdefault(move, _value_of(info.score))
    if not values:
        raise FaultyEngineError("it says no score with a move that was to be searched")
    return Finding(
        tuple(Line(move, value) for move, value in values.items()),
        depth=min(info.depth or 0 for info in infos),
        nodes=max(info.nodes or 0 for info in infos),
        engine=engine,
    )


def spent_on(search: UciSearch) -> int:
    """Return the time of a search in ms, by the engine's own clock."""
    return max((info.time or 0 for info in search.infos()), default=0)


def _move_of(text: str, board: chess.Board) -> str | None:
    """Return a move as the tree has it; None if it is not legal."""
    try:
        return board.uci(board.parse_uci(text))
    except ValueError:
        return None


def _value_of(score: Score) -> int:
    return score_value(score.cp or 0) if score.mate is None else mate_in(score.mate)
