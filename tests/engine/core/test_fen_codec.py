"""FENs: those accepted, mended and refused."""

import pytest

from rookery_engine.core.board import Board
from rookery_engine.core.fen_codec import START
from rookery_uci import FenError

KINGS = "4k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize(("fen", "chess960", "written"), [
    (START, False, START),
    (START, True, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"),
    (f"{KINGS} w", False, f"{KINGS} w - - 0 1"),  # missing fields
    (f"{KINGS}", False, f"{KINGS} w - - 0 1"),
    (f"{KINGS} b - - x y", False, f"{KINGS} b - - 0 1"),
    (f"{KINGS} w KQkq - 0 1", False, f"{KINGS} w - - 0 1"),  # no rooks
    ("4k3/8/8/8/8/8/8/4K2R w KQ - 3 9", False, "4k3/8/8/8/8/8/8/4K2R w K - 3 9"),
    ("3k4/8/8/8/8/8/8/3K3R w K - 0 1", False, "3k4/8/8/8/8/8/8/3K3R w - - 0 1"),
    ("3k4/8/8/8/8/8/8/3K3R w K - 0 1", True, "3k4/8/8/8/8/8/8/3K3R w H - 0 1"),  # X-FEN
    ("1k6/8/8/8/8/8/8/1K1R2R1 w D - 0 1", True, "1k6/8/8/8/8/8/8/1K1R2R1 w D - 0 1"),
    ("1k6/8/8/8/8/8/8/1K1R2R1 w K - 0 1", True, "1k6/8/8/8/8/8/8/1K1R2R1 w G - 0 1"),
    (f"{KINGS} w - e6 0 1", False, f"{KINGS} w - - 0 1"),  # no pawn has passed
    ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", False, "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", False, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1", False, "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"),
])  # fmt: skip
def test_read_and_write(fen: str, chess960: bool, written: str) -> None:
    assert Board(fen, chess960).fen == written


@pytest.mark.parametrize(("fen", "reason"), [
    ("", "needs at least the placement"),
    ("8/8/8/8 w - - 0 1", "8 ranks"),
    ("9/8/8/8/8/8/8/8 w - - 0 1", "rank 8 needs pieces and digits"),
    ("ppppppppp/8/8/8/8/8/8/8 w - - 0 1", "rank 8 needs 8 squares"),
    ("4k2/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 needs 8 squares"),
    ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", "rank 1 needs pieces and digits"),
    (f"{KINGS} x - - 0 1", "side to move"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black needs one king, not 0"),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white needs one king, not 2"),
    ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "no pawn"),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "no pawn"),
    ("4k3/8/8/8/8/8/8/4KR1r b - - 0 1", None),
    ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "white is in check but not to move"),
    ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "black is in check but not to move"),
    ("4k3/pppppppp/pppppppp/8/8/8/8/4K3 w - - 0 1", "black has 17 men"),
])  # fmt: skip
def test_refused(fen: str, reason: str | None) -> None:
    if reason is None:
        assert Board(fen).fen
        return
    with pytest.raises(FenError, match=reason):
        Board(fen)
