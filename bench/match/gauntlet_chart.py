"""A picture of a gauntlet: the Elo difference to each opponent with its interval, as SVG."""

from collections.abc import Sequence
from html import escape

from bench.svg import drawing

WIDTH = 600  # pixels
NAMES = 160  # of them, for the names
MARGIN = 24
LINE = 28
AXIS = "Elo by which Rookery is better, with intervals of 95 %"
GRID = 100  # Elo
MOST = 800.0  # what is further away is drawn here


def chart(points: Sequence[tuple[str, float, float]], title: str) -> str:
    """Draw (opponent, Elo, interval), one below the other; right of the line we are better."""
    reach = min(MOST, max((abs(value) + apart for _, value, apart in points), default=0.0))
    most = max(GRID, -(-int(reach + 0.5) // GRID) * GRID)
    grid = GRID * -(-most // (4 * GRID))  # four lines on each side at most
    bottom = MARGIN + LINE * len(points)
    height = bottom + 2 * MARGIN

    def across(value: float) -> float:
        value = min(max(value, -most), most)
        return round(NAMES + (value + most) * (WIDTH - NAMES - MARGIN) / (2 * most), 1)

    parts = [
        f'<text x="{MARGIN / 2}" y="15" font-weight="bold">{escape(title)}</text>',
        f'<text x="{across(0)}" y="{height - 10}" text-anchor="middle">{AXIS}</text>',
    ]
    for line in range(-(most // grid) * grid, most + 1, grid):
        colour, number = ("#ddd", f"{line:+d}") if line else ("#333", "0")
        parts += [
            f'<path d="M{across(line)} {MARGIN}V{bottom}" stroke="{colour}"/>',
            f'<text x="{across(line)}" y="{bottom + 16}" text-anchor="middle">{number}</text>',
        ]
    for place, (name, elo, apart) in enumerate(points):
        y = MARGIN + LINE * (place + 0.5)
        parts += [
            f'<text x="{NAMES - 8}" y="{y + 4}" text-anchor="end">{escape(name)}</text>',
            f'<path d="M{across(elo - apart)} {y}H{across(elo + apart)}" stroke="#25a"'
            ' stroke-width="2"/>',
            f'<circle cx="{across(elo)}" cy="{y}" r="4" fill="#25a"/>',
        ]
    return drawing(parts, width=WIDTH, height=height)
