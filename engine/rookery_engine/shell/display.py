"""The output of the commands for people at a terminal.

There is a blank line at the end where Stockfish writes one: programs wait for it.
"""

from rookery_engine.core import build_info
from rookery_engine.core.board import Board
from rookery_engine.nnue.evaluate import PieceValue, evaluate_board, piece_values
from rookery_engine.nnue.network import network_name
from rookery_engine.shell.wdl import centipawns

HELP = """\
Rookery speaks UCI, the Universal Chess Interface, with a chess GUI.  By hand, try
  position startpos moves e2e4   and then   go movetime 1000
  uci              name, authors and options
  d                the position: board, FEN, key, checkers
  eval             what the evaluation sees in it
  flip             change the sides
  go perft 5       count the lines of legal moves
  bench [HASH [THREADS [LIMIT [default|current|FILE [depth|nodes|movetime|...]]]]]
  compiler         how the engine was built
  export_net [FILE]  write the network of the evaluation to a file
  quit"""

_EDGE = "+---" * 8 + "+"
_WIDE_EDGE = "+-------" * 8 + "+"


def board(position: Board) -> str:
    """Return the board, and FEN, key and checkers of the position."""
    lines = [f" {_EDGE}"]
    rows = position.fen.split()[0].split("/")
    for number, row in zip(range(8, 0, -1), rows, strict=True):
        lines += [f" | {' | '.join(_squares(row))} | {number}", f" {_EDGE}"]
    lines += [
        "   a   b   c   d   e   f   g   h",
        f"Fen: {position.fen}",
        f"Key: {position.key:016X}",
        f"Checkers: {' '.join(position.checkers)}".rstrip(),
    ]
    return "\n".join(lines)


def evaluation(position: Board) -> str:
    """Return by how much each piece changes the score, and the score of each of the outputs."""
    values = {piece.square: piece for piece in piece_values(position)}
    score = evaluate_board(position)
    lines = [
        " What the score would lose without a piece, in pawns, positive for White:",
        f" {_WIDE_EDGE}",
    ]
    for rank in range(7, -1, -1):
        row = [values.get(8 * rank + file) for file in range(8)]
        lines += [
            " |" + "|".join(f"   {piece.letter if piece else ' '}   " for piece in row) + "|",
            " |" + "|".join(f"{_worth(piece):^7}" for piece in row) + "|",
            f" {_WIDE_EDGE}",
        ]
    sign = 1 if position.white_to_move else -1
    lines.append(" What the network's outputs say, by the number of men:")
    for bucket, value in enumerate(score.outputs):
        used = "  <- this one counts" if bucket == score.bucket else ""
        men = f"{4 * bucket + 2} to {min(4 * bucket + 5, 32)} men"
        lines.append(f"   {men:<20} {_pawns(sign * value)}{used}")
    bare_king = score.score - score.outputs[score.bucket]
    if bare_king:
        lines.append(f" For a bare king        {_pawns(sign * bare_king)}")
    lines.append(f" Network                {network_name()}")
    if position.in_check:
        lines.append(" Final evaluation: none (in check)")
    else:
        final = _pawns(sign * score.score)
        lines.append(f" Final evaluation       {final} (white side)")
    return "\n".join((*lines, ""))


def compiler() -> str:
    """Return the compiler, versions and processor features of the compiled core."""
    return "\n".join(
        (
            f"Compiled by                : {build_info.COMPILER}",
            f"Written in                 : Cython {build_info.CYTHON},"
            f" for Python {build_info.PYTHON}",
            f"Compilation architecture   : {build_info.ARCHITECTURE}",
            f"Compilation settings       : {' '.join(('64bit', *build_info.FEATURES))}",
        )
    )


def flipped(fen: str) -> str:
    """Return the FEN with the sides changed: White stands where Black stood, mirrored."""
    placement, side, castling, passed, *counters = fen.split()
    if passed != "-":
        passed = passed[0] + {"3": "6", "6": "3"}[passed[1]]
    return " ".join(
        (
            "/".join(reversed(placement.split("/"))).swapcase(),
            "w" if side == "b" else "b",
            castling.swapcase(),
            passed,
            *counters,
        )
    )


def _squares(row: str) -> list[str]:
    """Return the eight squares of a rank in a FEN."""
    return list("".join(" " * int(sign) if sign.isdigit() else sign for sign in row))


def _worth(piece: PieceValue | None) -> str:
    return "" if piece is None or piece.value is None else _pawns(piece.value)


def _pawns(score: int) -> str:
    return f"{centipawns(score) / 100:+.2f}"
