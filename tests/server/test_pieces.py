"""The compiled look at pieces of output."""

import pytest

from rookery_server.pieces import only_info


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        (b"info depth 1\n", True),
        (b"info depth 1\ninfo string x\n", True),
        (b"", True),
        (b"readyok\n", False),
        (b"info depth 1\nbestmove e2e4\n", False),
        (b"info depth 1\ninf\n", False),
        (b"info depth 1\n\n", False),
        (b"information\n", False),
        (b"info\n", False),
    ],
)
def test_only_info_looks_at_every_line(piece: bytes, expected: bool) -> None:
    assert only_info(piece) is expected


def test_header_is_in_force() -> None:
    """A lost `.pxd` would build an untyped and slow module, which takes anything."""
    with pytest.raises(TypeError):
        only_info(bytearray(b"info x\n"))
