"""The limit of a player's moves: a clock with increment, or a fixed limit.

Fixed nodes give the same games on a loaded machine as on a quiet one; a clock tests
real games, and the engine's handling of time.
"""

from dataclasses import dataclass

from rookery_uci import Limits


@dataclass(frozen=True, slots=True)
class Limit:
    """Either a clock (`base` and `increment`, in ms), or the words after `go`."""

    base: int | None = None
    increment: int = 0
    fixed: str = ""

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """Read `10+0.1` (seconds), `nodes 3000`, `depth 8` or `movetime 100`.

        Raises:
            ValueError: it is none of these.

        """
        words = text.split()
        if len(words) == 2 and words[0] in ("nodes", "depth", "movetime"):
            if words[1].isdecimal() and int(words[1]) > 0:
                return cls(fixed=f"{words[0]} {int(words[1])}")
        elif len(words) == 1:
            base, _, increment = text.partition("+")
            try:
                limit = cls(round(float(base) * 1000), round(float(increment or 0) * 1000))
            except ValueError:
                pass
            else:
                if limit.base and limit.base > 0 and limit.increment >= 0:
                    return limit
        raise ValueError(f"a limit is 10+0.1, `nodes 3000` or the like, not {text!r}")

    def __str__(self) -> str:
        return (
            self.fixed if self.base is None else f"{self.base / 1000:g}+{self.increment / 1000:g}"
        )

    def limits(self, white: float, black: float) -> Limits:
        """Return the limits of a search, with what the clocks show (ms)."""
        if self.base is None:
            return Limits.parse(self.fixed)
        increment = self.increment or None
        wtime, btime = max(1, int(white)), max(1, int(black))
        return Limits(wtime=wtime, btime=btime, winc=increment, binc=increment)
