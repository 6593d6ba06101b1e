"""What is in a line of the GUI's or the server's.  No I/O."""

import rookery_uci as uci
from rookery_protocol.notices import CONTROL, Notice

NOTICE = b"info string rookery "

_WORDS: dict[bytes, uci.Command] = {word.encode(): word for word in uci.Word}


def command_in(line: bytes) -> uci.Command | None:
    """Return the command of a line; None if there is none, or if the server will refuse it."""
    return _WORDS.get(line) or _read(line)


def notice_in(line: bytes) -> Notice | None:
    """Return the notice that a line is; None if the server does not speak for itself in it."""
    return Notice.parse(line.decode(errors="replace")) if line.startswith(NOTICE) else None


def is_only_info(piece: bytes) -> bool:
    """Say whether all lines of a piece are `info`."""
    lines = piece.count(b"\n")
    return piece.startswith(b"info ") and piece.count(b"\ninfo ") == lines - 1


def _read(line: bytes) -> uci.Command | None:
    try:
        text = line.decode()
        return None if CONTROL.search(text) else uci.parse_command(text)
    except (UnicodeDecodeError, uci.UciError):
        return None
