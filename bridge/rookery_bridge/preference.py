"""The options of the bridge itself, as a GUI shows them beside the engine's.  No I/O."""

from rookery_bridge.recall import key_of
from rookery_engine.uci import Option, SetOption

CLOCK_CORRECTION = "Bridge Clock Correction"
FALLBACK = "Bridge Fallback"

_VALUES = {"true": True, "false": False}


class Preferences:
    """What the user wants of the bridge; the command line gives the defaults.

    Args:
        correct_clocks: whether the server is told of the time less the round trip.
        fall_back: whether an engine of this machine plays when the server cannot; None if
            there is none.
        may_guess: whether the bridge answers by itself what nobody else does in time.

    """

    def __init__(
        self,
        *,
        correct_clocks: bool = True,
        fall_back: bool | None = None,
        may_guess: bool = True,
    ) -> None:
        self.may_guess = may_guess
        self._defaults = {CLOCK_CORRECTION: correct_clocks}
        if fall_back is not None:
            self._defaults[FALLBACK] = fall_back
        self._values = dict(self._defaults)
        self._is_lost = False

    @property
    def correct_clocks(self) -> bool:
        """Whether the time that lines take is hidden from the engine's clock."""
        return self._values[CLOCK_CORRECTION]

    @property
    def fall_back(self) -> bool:
        """Whether an engine of this machine may play."""
        return self._values.get(FALLBACK, False) and not self._is_lost

    def fallback_is_lost(self) -> None:
        """Take note that there is no such engine after all."""
        self._is_lost = True

    def options(self) -> list[Option]:
        """Return the options on offer."""
        return [
            Option(name, "check", "true" if value else "false")
            for name, value in self._defaults.items()
        ]

    def take(self, command: SetOption) -> bool:
        """Set an option of the bridge; say whether it is one."""
        names = {key_of(name): name for name in self._defaults}
        name = names.get(key_of(command.name))
        if name is None:
            return False
        value = _VALUES.get((command.value or "").strip().lower())
        if value is not None:
            self._values[name] = value
        return True
