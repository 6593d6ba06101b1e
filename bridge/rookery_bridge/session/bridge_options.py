"""The options of the bridge itself, as a GUI shows them beside the engine's.  No I/O."""

from rookery_uci import Option, SetOption, key_of

CLOCK_CORRECTION = "Bridge Clock Correction"
FALLBACK = "Bridge Fallback"
LOG_FILE = "Bridge Log File"

_VALUES = {"true": True, "false": False}
_EMPTY = "<empty>"  # as UCI writes a text of no letters


class Preferences:
    """What the user wants of the bridge; the command line gives the defaults.

    Args:
        correct_clocks: whether the server is told of the time less the round trip.
        fall_back: whether an engine of this machine plays when the server cannot; None if
            there is none.
        log_file: where what is said is written down; empty is nowhere.
        may_guess: whether the bridge answers by itself what nobody else does in time.

    """

    def __init__(
        self,
        *,
        correct_clocks: bool = True,
        fall_back: bool | None = None,
        log_file: str = "",
        may_guess: bool = True,
    ) -> None:
        self.may_guess = may_guess
        self._checks = {CLOCK_CORRECTION: correct_clocks}
        if fall_back is not None:
            self._checks[FALLBACK] = fall_back
        self._texts = {LOG_FILE: log_file}
        self._defaults: dict[str, bool | str] = self._checks | self._texts
        self._is_lost = False

    @property
    def correct_clocks(self) -> bool:
        """Whether the time that lines take is hidden from the engine's clock."""
        return self._checks[CLOCK_CORRECTION]

    @property
    def fall_back(self) -> bool:
        """Whether an engine of this machine may play."""
        return self._checks.get(FALLBACK, False) and not self._is_lost

    @property
    def log_file(self) -> str:
        """Where what is said is written down; empty is nowhere."""
        return self._texts[LOG_FILE]

    def fallback_is_lost(self) -> None:
        """Take note that there is no such engine after all."""
        self._is_lost = True

    def options(self) -> list[Option]:
        """Return the options on offer."""
        return [_option(name, default) for name, default in self._defaults.items()]

    def take(self, command: SetOption) -> bool:
        """Set an option of the bridge; say whether it is one.

        A value that it cannot have changes nothing.
        """
        names = {key_of(name): name for name in self._defaults}
        name = names.get(key_of(command.name))
        value = (command.value or "").strip()
        if name in self._texts:
            self._texts[name] = "" if value == _EMPTY else value
        elif name in self._checks:
            self._checks[name] = _VALUES.get(value.lower(), self._checks[name])
        return name is not None


def _option(name: str, default: bool | str) -> Option:  # a value, no switch
    if isinstance(default, bool):
        return Option(name, "check", "true" if default else "false")
    return Option(name, "string", default or _EMPTY)
