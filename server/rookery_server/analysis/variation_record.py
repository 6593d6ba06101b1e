"""A line of an engine as answers have it: scores are White's.  No I/O."""

import chess

from rookery_uci import Info, Score


def variation_record(
    info: Info, board: chess.Board, *, with_san: bool = False
) -> dict[str, object]:
    """Return a line of an engine as White sees it, without what the engine has not said."""
    sign = 1 if board.turn == chess.WHITE else -1
    score = info.score or Score()
    is_mate = score.mate is not None
    record = {
        "cp": None if is_mate else sign * (score.cp or 0),
        "mate": sign * score.mate if score.mate is not None else None,
        "bound": None if score.bound is None else _bound_of(str(score.bound), sign),
        "wdl": info.wdl[::sign] if info.wdl else None,
        "depth": info.depth,
        "seldepth": info.seldepth,
        "nodes": info.nodes,
        "pv": info.pv,
        "san": _san_of(info.pv, board) if with_san else None,
    }
    return {name: value for name, value in record.items() if value is not None}


def _bound_of(word: str, sign: int) -> str:
    """Return `lower` or `upper` of a score that is turned round for Black."""
    return "lower" if (word == "lowerbound") == (sign > 0) else "upper"


def _san_of(moves: tuple[str, ...], board: chess.Board) -> list[str]:
    """Return moves as people write them, up to the first that is not legal."""
    after, written = board.copy(stack=False), []
    for text in moves:
        try:
            move = after.parse_uci(text)
        except ValueError:
            break
        written.append(after.san_and_push(move))
    return written
