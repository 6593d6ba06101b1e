"""The answer of tablebases to a position, with one for each of its moves.

The documents are those of lila-tablebase (https://github.com/lichess-org/lila-tablebase), as far
as Syzygy tables have what is in them.
"""

import chess

from rookery_server.api.lookup_schema import TablebaseMove, TablebaseResult
from rookery_server.tablebases.tables import RANKS, UNKNOWN, Finding, SyzygyTables


def tablebase_result(board: chess.Board, tables: SyzygyTables) -> TablebaseResult:
    """Return what is known of a position; its moves are best first."""
    reason = _reason(board, tables)
    found = UNKNOWN if reason else _finding(board, tables)
    if found is UNKNOWN and not reason:
        reason = "a table of this position, or of one after a capture, is missing or broken"
    moves = [] if board.castling_rights or _men(board) > tables.men else _moves(board, tables)
    return TablebaseResult(
        fen=board.fen(),
        category=found.category,
        dtz=found.dtz,
        checkmate=board.is_checkmate(),
        stalemate=board.is_stalemate(),
        insufficient_material=board.is_insufficient_material(),
        reason=reason,
        moves=moves,
    )


def _reason(board: chess.Board, tables: SyzygyTables) -> str | None:
    """Return why no table can have a position."""
    if board.castling_rights:
        return "a side may castle: tablebases have no such positions"
    if (men := _men(board)) > tables.men:
        return f"the position has {men} men: the server's tablebases have up to {tables.men}"
    return None


def _men(board: chess.Board) -> int:
    return chess.popcount(board.occupied)


def _finding(board: chess.Board, tables: SyzygyTables) -> Finding:
    if board.is_checkmate():
        return Finding("loss", -1)  # as tables have it
    if board.is_stalemate() or board.is_insufficient_material():
        return Finding("draw", 0)
    return tables.probe(board)


def _moves(board: chess.Board, tables: SyzygyTables) -> list[TablebaseMove]:
    moves = []
    for move in board.legal_moves:
        san, zeroing = board.san(move), board.is_zeroing(move)
        board.push(move)
        found = _finding(board, tables)
        moves.append(
            TablebaseMove(
                uci=move.uci(),
                san=san,
                category=found.category,
                dtz=found.dtz,
                zeroing=zeroing,
                checkmate=board.is_checkmate(),
                stalemate=board.is_stalemate(),
                insufficient_material=board.is_insufficient_material(),
            )
        )
        board.pop()
    return sorted(moves, key=_order)


def _order(move: TablebaseMove) -> tuple[int, bool, bool, int, str]:
    """Return the place of a move: a win that is near first, a loss that is near last."""
    dtz = move.dtz or 0
    progress = not move.zeroing if dtz <= 0 else move.zeroing
    return RANKS[move.category], not move.checkmate, progress, -dtz, move.uci
