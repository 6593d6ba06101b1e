"""Results of a benchmark: quantities, their ratios and their goals.

Machines differ and shared ones swing, so nothing here judges an absolute number.
A row holds what each lane measured in each rotation; its ratio is the median of
the ratios *within* the rotations, because what disturbs one lane in a rotation
disturbs the others too.
"""

from dataclasses import asdict, dataclass
from statistics import median
from typing import Literal

Better = Literal["lower", "higher"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something to measure; `goal` and `stretch` are ratios to the baseline."""

    name: str
    unit: str
    better: Better
    goal: float | None = None
    stretch: float | None = None

    def verdict(self, ratio: float) -> str:
        """Say how a ratio stands to the goals; a quantity without goals is for information."""
        if self.goal is None:
            return "-"
        if not self._meets(ratio, self.goal):
            return "MISSED"
        return "stretch" if self.stretch and self._meets(ratio, self.stretch) else "met"

    def _meets(self, ratio: float, goal: float) -> bool:
        return ratio <= goal if self.better == "lower" else ratio >= goal


@dataclass(frozen=True, slots=True)
class Row:
    """Measurements of a quantity: one number for each rotation and lane."""

    quantity: Quantity
    baseline: list[float]
    ours: list[float]
    floor: list[float] | None = None

    @property
    def ratio(self) -> float:
        """Ours to the baseline."""
        return _ratio(self.ours, self.baseline)

    @property
    def floor_ratio(self) -> float | None:
        """Return the ratio of the simplest program in C to the baseline."""
        return None if self.floor is None else _ratio(self.floor, self.baseline)

    @property
    def verdict(self) -> str:
        """Return the ratio's standing to the goal."""
        return self.quantity.verdict(self.ratio)

    def as_json(self) -> dict[str, object]:
        """Return all that was measured, as JSON has it."""
        return {
            **asdict(self),
            "ratio": self.ratio,
            "floor_ratio": self.floor_ratio,
            "verdict": self.verdict,
        }


def table(rows: list[Row], *, baseline: str, floor: str = "C floor") -> str:
    """Return the rows as an aligned Markdown table, the medians of each lane in it."""
    head = ("quantity", baseline, "ours", "ratio", "goal", floor, "verdict")
    lines = [head, tuple("-" * len(title) for title in head), *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    )


def number(value: float) -> str:
    """Write a number with three digits that count."""
    if value >= 1e6:
        return f"{value / 1e6:.3g} M"
    if value >= 1e5:
        return f"{value / 1e3:.3g} k"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _cells(row: Row) -> tuple[str, ...]:
    quantity = row.quantity
    sign = "<=" if quantity.better == "lower" else ">="
    return (
        quantity.name,
        f"{number(median(row.baseline))} {quantity.unit}".rstrip(),
        f"{number(median(row.ours))} {quantity.unit}".rstrip(),
        number(row.ratio),
        "-" if quantity.goal is None else f"{sign} {quantity.goal:g}",
        "-" if row.floor_ratio is None else number(row.floor_ratio),
        row.verdict,
    )


def _ratio(values: list[float], to: list[float]) -> float:
    return median(value / other for value, other in zip(values, to, strict=True))
