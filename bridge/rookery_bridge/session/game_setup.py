"""What a GUI has told about its game, for a session or an engine that begins later.  No I/O."""

from rookery_uci import Debug, Position, SetOption, key_of

CHESS960 = "uci_chess960"
VARIANT = "uci_variant"
LIMIT, ELO, SKILL = "uci_limitstrength", "uci_elo", "skill level"

# What an engine of this machine is told of another's options: what a search means, and
# nothing of how much memory or how many threads it may have, since those are for there.
_MEANING = (CHESS960, VARIANT, "multipv", "uci_showwdl", "uci_analysemode")

_UNREAD = Position(fen="")  # such a FEN is refused


class Recall:
    """The options and the position that hold now, as the GUI wrote them."""

    def __init__(self) -> None:
        self.position = Position()
        self._position_line = b""
        self._debug = False
        self._options: dict[str, tuple[SetOption, bytes]] = {}

    def option(self, command: SetOption, line: bytes) -> None:
        """Take note of an option; a button is pressed once, and not again."""
        if command.value is not None:
            key = key_of(command.name)
            # Set anew, it goes to the end: options may depend on those before them.
            self._options.pop(key, None)
            self._options[key] = command, line

    def place(self, command: Position, line: bytes) -> None:
        """Take note of a position."""
        self.position, self._position_line = command, line

    def misplace(self, line: bytes) -> None:
        """Take note of a position that cannot be read: the one before it holds no more."""
        self.place(_UNREAD, line)

    def move(self) -> None:
        """Take note of a command that leaves a position which only the engine knows (`flip`).

        Another engine is told one that cannot be read, so that it searches no other instead.
        """
        self.misplace(str(_UNREAD).encode())

    @property
    def is_chess960(self) -> bool:
        """Whether castling is written as in Chess960."""
        return self.value(CHESS960).lower() == "true"

    def debug(self, command: Debug) -> None:
        """Take note of whether more is to be said."""
        self._debug = command.on

    def value(self, key: str) -> str:
        """Return what an option was last set to, or nothing."""
        found = self._options.get(key)
        return (found[0].value or "") if found else ""

    @property
    def sets_strength(self) -> bool:
        """Whether it was said how strong an engine is to play: weaker than it could, or not."""
        return LIMIT in self._options or SKILL in self._options

    def setup(self) -> list[bytes]:
        """Return what a fresh session must hear before a position."""
        return [b"debug on"] * self._debug + [line for _, line in self._options.values()]

    def rules(self) -> list[bytes]:
        """Return what an engine of this machine must hear before a position."""
        return [
            bytes(str(self._options[key][0]), "utf-8") for key in _MEANING if key in self._options
        ]

    def unusual_rules(self) -> list[SetOption]:
        """Return the options by which a game is another than most, for who cannot play it."""
        usual = {CHESS960: ("", "false"), VARIANT: ("", "chess")}
        return [
            self._options[key][0]
            for key, values in usual.items()
            if self.value(key).lower() not in values
        ]

    def position_line(self) -> list[bytes]:
        """Return the line of the position, if there was one."""
        return [self._position_line] if self._position_line else []
