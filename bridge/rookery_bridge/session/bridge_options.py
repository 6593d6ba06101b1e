"""The bridge's own options, and the answer to `uci` that has them beside the engine's.  No I/O."""

import re
from contextlib import suppress
from dataclasses import dataclass

from rookery_uci import Option, SetOption, UciError, key_of, parse_reply

CLOCK_CORRECTION = "Bridge Clock Correction"
FALLBACK = "Bridge Fallback"
LOG_FILE = "Bridge Log File"

MAX_ANSWER = 1 << 20  # bytes of one, as the server has it of engines; the longest known has 20 KB
MAX_LINES = 5000  # of one: each option is read and kept

_VALUES = {"true": True, "false": False}
_EMPTY = "<empty>"  # as UCI writes an empty text

_NO_NAME = (b"id name Rookery bridge, without its server", b"id author the Rookery developers")
PARTS = (b"id ", b"option ", b"uciok")  # the beginnings of its lines

# /a/path, ~/a/path, C:\a\path, C:/a/path, \\server\share
_PATH = re.compile(r"(?:/|~|[A-Za-z]:[\\/]|\\\\)\S")
_NAMES = 5  # that are listed


@dataclass(kw_only=True)
class BridgeOptions:
    """The options of the bridge; the command line gives the defaults.

    `correct_clocks` says whether the server is told of the time less the round trip;
    `has_fallback` whether there is an engine of this machine, and `fall_back` whether it plays
    when the server cannot; `log_file` where the lines are written down, empty is nowhere;
    `may_guess` whether the bridge answers by itself where no engine does in time.
    """

    correct_clocks: bool = True
    has_fallback: bool = False
    log_file: str = ""
    may_guess: bool = True

    def __post_init__(self) -> None:
        """Offer the options with these values as their defaults."""
        self.fall_back = self.has_fallback
        self._offered = [Option(CLOCK_CORRECTION, "check", str(self.correct_clocks).lower())]
        if self.has_fallback:
            self._offered.append(Option(FALLBACK, "check", "true"))
        self._offered.append(Option(LOG_FILE, "string", self.log_file or _EMPTY))

    def lose_fallback(self) -> None:
        """Count the engine of this machine as absent."""
        self.has_fallback = self.fall_back = False

    def lines(self) -> list[bytes]:
        """Return the options on offer."""
        # The name of a log may be no text: bytes that are no UTF-8, half a character on Windows.
        return [str(option).encode(errors="surrogatepass") for option in self._offered]

    def set_option(self, command: SetOption) -> bool:
        """Set an option of the bridge; say whether it is one.

        A value that it cannot have changes nothing.
        """
        key, value = key_of(command.name), (command.value or "").strip()
        name = next((each.name for each in self._offered if key_of(each.name) == key), None)
        if name == CLOCK_CORRECTION:
            self.correct_clocks = _VALUES.get(value.lower(), self.correct_clocks)
        elif name == FALLBACK:
            self.fall_back = _VALUES.get(value.lower(), self.fall_back) and self.has_fallback
        elif name == LOG_FILE:
            self.log_file = "" if value == _EMPTY else value
        return name is not None


class UciAnswer:
    """The answer to `uci`.  `offered` are the server's options by their keys, once known.

    It is passed on as a whole, when the last of it has come, so that a GUI that was cut off in
    the middle of it does not hear its beginning twice; and it is kept, for when there is no
    server.  Lines beyond any bound are left out, and `is_cut` says so.
    """

    def __init__(self, options: BridgeOptions) -> None:
        self.offered: dict[str, Option] = {}
        self.is_cut = False
        self._options = options
        self._heard: list[bytes] = []  # as far as it has come
        self._size = 0  # of that, in bytes
        self._lines: list[bytes] = []  # of the last whole answer

    def add_line(self, line: bytes) -> bool:
        """Add a line of it; say whether it is whole now."""
        if not line.startswith(b"uciok"):
            self._size += len(line)
            if self._size > MAX_ANSWER or len(self._heard) >= MAX_LINES:
                self.is_cut = True
            else:
                self._heard.append(line)
            return False
        heard = self._heard
        self.restart()
        self.offered = options_in(heard)
        self._lines = [*heard, *self._options.lines(), b"uciok"]
        return True

    def restart(self) -> None:
        """Forget what has come of it: another session answers from the beginning."""
        self._heard, self._size = [], 0

    def lines(self) -> bytes:
        """Return the last whole answer, or one that needs no server."""
        lines = self._lines or [*_NO_NAME, *self._options.lines(), b"uciok"]
        return b"\n".join(lines) + b"\n"


def options_in(lines: list[bytes]) -> dict[str, Option]:
    """Return the options among an engine's lines, by their keys."""
    options = {}
    for line in lines:
        with suppress(UciError):
            option = parse_reply(line.decode(errors="replace"))
            if isinstance(option, Option):
                options[key_of(option.name)] = option
    return options


def path_objection(command: SetOption, offered: dict[str, Option]) -> str | None:
    """Return why an option is not for the server; None if it is.

    A GUI sends what its user has set up for engines of this machine, `SyzygyPath` above all.  A
    server cannot read those files, and refuses to look: so the bridge says so itself.

    Args:
        command: the option that the GUI has set.
        offered: the options of the server by their keys; empty if they are not known yet.

    """
    if not offered or not command.value or not _PATH.match(command.value):
        return None
    option = offered.get(key_of(command.name))
    if option and option.type == "string":
        return None  # The operator lets clients name files of the server.
    text = f"{command.name} is not sent: {command.value!r} is a path of this machine"
    names = [name for name in (option.var if option else ()) if not name.startswith("<")]
    if names:
        more = ", ..." if len(names) > _NAMES else ""
        return f"{text}; the server has {', '.join(names[:_NAMES])}{more}"
    return f"{text}, and the server does not let clients set it"
