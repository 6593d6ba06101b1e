"""The answer to `uci`: what the server offers, and the bridge's own options with it.  No I/O.

It is passed on as a whole, when the last of it has come, so that a GUI that was cut off in the
middle of it does not hear its beginning twice; and it is kept, for when there is no server.
"""

import rookery_uci as uci
from rookery_bridge.session.bridge_options import Preferences

MAX_ANSWER = 1 << 20  # bytes of one, as the server has it of engines; the longest known has 20 KB
MAX_LINES = 5000  # of one: each option is read and kept

_NO_NAME = (b"id name Rookery bridge, without its server", b"id author the Rookery developers")
_PARTS = (b"id ", b"option ", b"uciok")


class Greeting:
    """Collects the answer.  `offered` are the server's options by their keys, once known.

    What is beyond any bound is left out, and `is_cut` says so.
    """

    def __init__(self, preferences: Preferences) -> None:
        self.offered: dict[str, uci.Option] = {}
        self.is_cut = False
        self._preferences = preferences
        self._heard: list[bytes] = []  # as far as it has come
        self._size = 0  # of that, in bytes
        self._lines: list[bytes] = []  # the last that was whole

    def is_part(self, line: bytes) -> bool:
        """Say whether a line of the server's may be of the answer."""
        return line.startswith(_PARTS)

    def hear(self, line: bytes) -> bool:
        """Take a part of it; say whether it is whole now."""
        if not line.startswith(b"uciok"):
            self._size += len(line)
            if self._size > MAX_ANSWER or len(self._heard) >= MAX_LINES:
                self.is_cut = True
            else:
                self._heard.append(line)
            return False
        heard = self._heard
        self.begin_anew()
        self.offered = options_in(heard)
        self._lines = [*heard, *self._own(), b"uciok"]
        return True

    def begin_anew(self) -> None:
        """Forget what has come of it: another session answers from the beginning."""
        self._heard, self._size = [], 0

    def answer(self) -> bytes:
        """Return the last that was whole, or what can be said without ever having heard one."""
        lines = self._lines or [*_NO_NAME, *self._own(), b"uciok"]
        return b"\n".join(lines) + b"\n"

    def _own(self) -> list[bytes]:
        return [str(option).encode() for option in self._preferences.options()]


def options_in(lines: list[bytes]) -> dict[str, uci.Option]:
    """Return the options among an engine's lines, by their keys."""
    options = {}
    for line in lines:
        try:
            option = uci.parse_reply(line.decode(errors="replace"))
        except uci.UciError:
            continue
        if isinstance(option, uci.Option):
            options[uci.key_of(option.name)] = option
    return options
