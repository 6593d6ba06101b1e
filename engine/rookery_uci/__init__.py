"""The Universal Chess Interface: lines to values and back, without any I/O.

Every message of both directions is an immutable value that prints itself as its
line; `parse_command` and `parse_reply` read a line into the value it means, so
that `parse_command(str(value)) == value`.  The engine, the server and the bridge
share this package; it knows nothing of them, of how pieces move, or of where lines come from.
`rookery_uci.uci_client` has the client's side of a whole conversation with an engine.

The reading is as forgiving as the specification asks: any white space, any line
ending, unknown leading words skipped, unknown words inside `go`, `position` and
`info` skipped.  What cannot be given a meaning raises `UciError`, whose text says
what was expected; what is no UCI at all reads as None.

Values are named tuples and not dataclasses because an engine is started often:
importing `dataclasses` and making these classes with it took 40 of the 60 ms to
`uciok`.
"""

from rookery_uci.command import (
    EXTRAS,
    SHOWING,
    Command,
    Debug,
    Extra,
    Go,
    Limits,
    Position,
    Register,
    SetOption,
    Word,
    is_position,
    parse_command,
)
from rookery_uci.fen import Fen, FenError, Fields, counters_of, mended, side_of
from rookery_uci.lines import MAX_LINE, LineBuffer, TypedLines
from rookery_uci.reply import (
    CHESS960,
    OPTION_TYPES,
    VARIANT,
    BestMove,
    EngineIdentity,
    Id,
    Info,
    Ok,
    Option,
    Protection,
    Score,
    parse_reply,
)
from rookery_uci.words import UciError, key_of, to_move, to_number

__all__ = [
    "CHESS960", "EXTRAS", "MAX_LINE", "OPTION_TYPES", "SHOWING", "VARIANT", "BestMove", "Command",
    "Debug", "EngineIdentity", "Extra", "Fen", "FenError", "Fields", "Go", "Id", "Info", "Limits",
    "LineBuffer", "Ok", "Option", "Position", "Protection", "Register", "Score", "SetOption",
    "TypedLines", "UciError", "Word", "counters_of", "is_position", "key_of", "mended",
    "parse_command", "parse_reply", "side_of", "to_move", "to_number",
]  # fmt: skip
