"""The options and the position that a GUI has set, for an engine that begins later.  No I/O."""

from collections.abc import Mapping

from rookery_uci import Option, Position, SetOption, key_of, to_number

CHESS960 = "uci_chess960"
VARIANT = "uci_variant"
LIMIT, ELO, SKILL = "uci_limitstrength", "uci_elo", "skill level"

# Options that an engine of this machine is told as well: those that change what a search means,
# and not its memory or its threads, which are set for the server's machine.
_MEANING = (CHESS960, VARIANT, "multipv", "uci_showwdl", "uci_analysemode")

_UNREAD = Position(fen="")  # such a FEN is refused
_FULL = "it cannot play weaker, and plays at full strength"


class GameSetup:
    """The options and the position that hold now, as the GUI wrote them.

    `debug` says whether `debug on` holds.
    """

    def __init__(self) -> None:
        self.position = Position()
        self.debug = False
        self._position_line = b""
        self._options: dict[str, tuple[SetOption, bytes]] = {}

    def set_option(self, command: SetOption, line: bytes) -> None:
        """Keep an option; a button is pressed once, and not again."""
        if command.value is not None:
            key = key_of(command.name)
            # Set anew, it goes to the end: options may depend on those before them.
            self._options.pop(key, None)
            self._options[key] = command, line

    def set_position(self, command: Position, line: bytes) -> None:
        """Keep a position."""
        self.position, self._position_line = command, line

    def set_unread_position(self, line: bytes = b"") -> None:
        """Forget the position: the GUI's line cannot be read, or only the engine knows it (`flip`).

        Another engine is told one that cannot be read, so that it searches no other instead.
        """
        self.set_position(_UNREAD, line or str(_UNREAD).encode())

    @property
    def is_chess960(self) -> bool:
        """True if castling is written as in Chess960."""
        return self.value(CHESS960).lower() == "true"

    @property
    def variant(self) -> str:
        """The variant in lower case; empty for chess."""
        return self.value(VARIANT).lower()

    def value(self, key: str) -> str:
        """Return the value of an option, or nothing if it was not set."""
        found = self._options.get(key)
        return (found[0].value or "") if found else ""

    @property
    def sets_strength(self) -> bool:
        """True if the GUI has set how strong an engine is to play."""
        return LIMIT in self._options or SKILL in self._options

    def lines(self) -> list[bytes]:
        """Return the lines for a new session, before a position."""
        return [b"debug on"] * self.debug + [line for _, line in self._options.values()]

    def rules(self) -> list[bytes]:
        """Return the lines for an engine of this machine, before a position."""
        return [str(self._options[key][0]).encode() for key in _MEANING if key in self._options]

    def unusual_rules(self) -> list[SetOption]:
        """Return the options by which the game is not chess, which an engine may not have."""
        usual = {CHESS960: ("", "false"), VARIANT: ("", "chess")}
        return [
            self._options[key][0]
            for key, values in usual.items()
            if self.value(key).lower() not in values
        ]

    def position_line(self) -> list[bytes]:
        """Return the line of the position, if there was one."""
        return [self._position_line] if self._position_line else []


class OpponentStrength:
    """The weakness that the user wants of an opponent, for an engine of this machine.

    The GUI has set it in options of the server, `offers`, by their keys.  An engine of this
    machine has other ranges, or none of these options: it is told the nearest value.
    """

    def __init__(self, setup: GameSetup, offers: Mapping[str, Option]) -> None:
        is_limited = setup.value(LIMIT).lower() == "true"
        usual = {key: offers[key].default or "" for key in (ELO, SKILL) if key in offers}
        said = {key: setup.value(key) for key in (LIMIT, ELO, SKILL)}
        # A GUI need not set an option to its default.
        said[ELO] = (said[ELO] or usual.get(ELO, "")) if is_limited else ""
        self._wanted = {key: value for key, value in said.items() if value}
        self._is_skilled = self._wanted.get(SKILL) == usual.get(SKILL)
        is_unskilled = SKILL in usual and not self._is_skilled
        self._weak = [key for key in self._wanted if (is_unskilled if key == SKILL else is_limited)]

    def options_for(self, offered: Mapping[str, Option]) -> list[SetOption]:
        """Return the settings for an engine that offers such options, by their keys."""
        return [
            SetOption(option.name, self._fit(key, option))
            for key in self._wanted
            if (option := offered.get(key))
        ]

    def _fit(self, key: str, option: Option) -> str:
        if key == SKILL and self._is_skilled:  # The most of one engine may be little of another.
            return option.default or ""
        return _nearest(self._wanted[key], option)

    def lack(self, offered: Mapping[str, Option]) -> str:
        """Return what such an engine cannot do of it; nothing if it can do all."""
        if any(key not in offered for key in self._weak):
            return _FULL
        told = {option.name: option.value for option in self.options_for(offered)}
        for key in self._weak:
            name, wanted = offered[key].name, self._wanted[key]
            if (told[name] or "").lower() != wanted.strip().lower():
                return f"its {name} is {told[name]}, which is nearest to {wanted}"
        return ""


def _nearest(value: str, option: Option) -> str:
    number = to_number(value)
    if option.type != "spin" or number is None:
        return value
    least = number if option.min is None else max(number, option.min)
    return str(least if option.max is None else min(least, option.max))
