"""The options that the engine offers, and their values."""

from rookery_uci import Option, UciError, to_number

ABOUT = "Rookery, a free chess engine (GPL-3.0-or-later); https://www.gnu.org/licenses/gpl-3.0"
MAX_HASH = 128 * 1024  # MiB; the table's index reaches twice as far
MAX_THREADS = 512
MAX_LINES = 500
MAX_OVERHEAD = 5000  # ms
MAX_NODES_TIME = 10_000  # nodes in a millisecond
MAX_SKILL = 20
MIN_ELO, MAX_ELO = 800, 2400  # as calibrated, see the README
MAX_PROBE_DEPTH = 100
MAX_MEN = 7  # of the largest tablebases there are

OPTIONS = (
    Option("Debug Log File", "string", ""),
    Option("Threads", "spin", "1", 1, MAX_THREADS),
    Option("Hash", "spin", "16", 1, MAX_HASH),
    Option("Clear Hash", "button"),
    Option("Ponder", "check", "false"),
    Option("MultiPV", "spin", "1", 1, MAX_LINES),
    Option("Skill Level", "spin", str(MAX_SKILL), 0, MAX_SKILL),
    Option("Move Overhead", "spin", "10", 0, MAX_OVERHEAD),
    Option("nodestime", "spin", "0", 0, MAX_NODES_TIME),
    Option("OwnBook", "check", "false"),
    Option("BookFile", "string", ""),
    Option("SyzygyPath", "string", ""),
    Option("SyzygyProbeDepth", "spin", "1", 1, MAX_PROBE_DEPTH),
    Option("Syzygy50MoveRule", "check", "true"),
    Option("SyzygyProbeLimit", "spin", str(MAX_MEN), 0, MAX_MEN),
    Option("EvalFile", "string", ""),
    Option("NumaPolicy", "string", "auto"),
    Option("UCI_Chess960", "check", "false"),
    Option("UCI_LimitStrength", "check", "false"),
    Option("UCI_Elo", "spin", "1500", MIN_ELO, MAX_ELO),
    Option("UCI_ShowWDL", "check", "false"),
    Option("UCI_AnalyseMode", "check", "false"),
    Option("UCI_Opponent", "string", ""),
    Option("UCI_EngineAbout", "string", ABOUT),
    Option("UCI_ShowCurrLine", "check", "false"),
    Option("UCI_ShowRefutations", "check", "false"),
    Option("UCI_SetPositionValue", "string", ""),
    Option("Minimal", "check", "false"),
)


class Options:
    """The values in force, as text in the one form that UCI writes."""

    def __init__(self) -> None:
        self._offered = {option.name.lower(): option for option in OPTIONS}
        self._values = {option.name: option.default or "" for option in OPTIONS}

    def set_value(self, name: str, value: str | None) -> str | None:
        """Change an option; return its proper name, or None if there is no such option.

        Names are not case sensitive, and neither are the values of a check.

        Raises:
            UciError: the value is not one of the option's.

        """
        option = self._offered.get(name.lower())
        if option is None:
            return None
        self._values[option.name] = parse_value(option, value or "")
        return option.name

    def copy(self) -> "Options":
        """Return other options with the same values."""
        twin = Options()
        twin._values = dict(self._values)
        return twin

    def number(self, name: str) -> int:
        """Return the value of a spin."""
        return int(self._values[name])

    def flag(self, name: str) -> bool:
        """Return the value of a check."""
        return self._values[name] == "true"

    def text(self, name: str) -> str:
        """Return the value of a string; "" is the empty one."""
        return self._values[name]


def parse_value(option: Option, text: str) -> str:
    """Return the value of an option as UCI writes it.

    Raises:
        UciError: the text is not one of its values.

    """
    text = text.strip()
    if option.type == "check":
        if text.lower() not in ("true", "false"):
            raise UciError(f"{option.name} needs 'true' or 'false', not {text[:80]!r}")
        return text.lower()
    if option.type == "spin":
        number = to_number(text)
        low, high = option.min or 0, option.max or 0
        if number is None or not low <= number <= high:
            raise UciError(f"{option.name} needs a number from {low} to {high}, not {text[:80]!r}")
        return str(number)
    return "" if text in ("<empty>", '""') else text
