"""The game that the clients of a room share, and the place in it that they are shown.  No I/O.

The server does not read the game: it is a text of the clients, whole in each version.  A writer
names the version that it changes, and is refused if there is a newer one, so that of two that
write at once neither overwrites the other.
"""

import json
import re

from rookery_uci import UciError, to_number

MAX_GAME = 64_000  # bytes of the text as JSON: with the words before it, it fits in a line
MAX_PLACE = 8_192  # bytes: 1,600 moves
_FORBIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # in a game
_PLACE = re.compile(r"moves(?: (?:[a-h][1-8][a-h][1-8][nbrqk]?|0000))*")
UNKNOWN_PLACE = "none"


class SharedGame:
    """The newest version of the game, and the place.

    `text` is a string as JSON, `writer` the id of the client that has written it.  `places` counts
    the changes of the place.
    """

    __slots__ = ("place", "places", "text", "version", "writer")

    def __init__(self, writer: str) -> None:
        self.version = 0
        self.text = '""'
        self.writer = writer
        self.place = UNKNOWN_PLACE
        self.places = 0

    def write(self, asked: str, writer: str) -> bool:
        """Replace the game if a version is the newest one; return whether it is.

        Raises:
            UciError: what is `asked` is no version and a game.

        """
        number, _, text = asked.partition(" ")
        version = to_number(number)
        if version is None:
            raise UciError(f"'rookery room game' needs a version, not {number[:20]!r}")
        if version != self.version:
            return False
        self.text = _checked(text)
        self.writer = writer
        self.version += 1
        return True

    def move(self, place: str) -> None:
        """Change the place.

        Raises:
            UciError: it is none.

        """
        if len(place) > MAX_PLACE or not _PLACE.fullmatch(place):
            raise UciError(
                f"'rookery room place' needs 'moves' and at most {MAX_PLACE} bytes of moves"
            )
        self._change_place(place)

    def forget_place(self) -> None:
        """Forget the place: another client shows it from now on."""
        self._change_place(UNKNOWN_PLACE)

    def _change_place(self, place: str) -> None:
        if place != self.place:
            self.place = place
            self.places += 1


def _checked(text: str) -> str:
    size = len(text.encode())
    if size > MAX_GAME:
        raise UciError(f"a shared game has at most {MAX_GAME} bytes, and this has {size}")
    try:
        game = json.loads(text) if text.startswith('"') else None
    except ValueError:
        game = None
    if not isinstance(game, str):
        raise UciError("a shared game is one string in JSON, in one line")
    if found := _FORBIDDEN.search(game):
        raise UciError(f"a shared game has no character U+{ord(found[0]):04X}")
    return text
