"""A picture of the ladder: Elo asked for, and Elo measured with its interval, as SVG."""

from collections.abc import Sequence

from bench.svg import drawing

SIDE = 480  # pixels of the square in which all is drawn
MARGIN = 56
GRID = 200  # Elo


def chart(points: Sequence[tuple[int, float, float]]) -> str:
    """Draw (asked, measured, interval); the dotted line is where both are the same."""
    values = [value for asked, elo, apart in points for value in (asked, elo - apart, elo + apart)]
    low = int(min(values)) // GRID * GRID
    high = -(-int(max(values)) // GRID) * GRID

    def across(elo: float) -> float:
        return round(MARGIN + (elo - low) * SIDE / (high - low), 1)

    def up(elo: float) -> float:
        return round(MARGIN / 2 + (high - elo) * SIDE / (high - low), 1)

    parts = []
    for line in range(low, high + 1, GRID):
        parts += [
            f'<path d="M{across(low)} {up(line)}H{across(high)}" stroke="#ddd"/>',
            f'<path d="M{across(line)} {up(low)}V{up(high)}" stroke="#ddd"/>',
            f'<text x="{across(low) - 6}" y="{up(line) + 4}" text-anchor="end">{line}</text>',
            f'<text x="{across(line)}" y="{up(low) + 18}" text-anchor="middle">{line}</text>',
        ]
    parts.append(
        f'<path d="M{across(low)} {up(low)}L{across(high)} {up(high)}" stroke="#999"'
        ' stroke-dasharray="3 4"/>'
    )
    for asked, elo, apart in points:
        parts += [
            f'<path d="M{across(asked)} {up(elo - apart)}V{up(elo + apart)}" stroke="#25a"'
            ' stroke-width="2"/>',
            f'<circle cx="{across(asked)}" cy="{up(elo)}" r="4" fill="#25a"/>',
        ]
    width, height = SIDE + 1.5 * MARGIN, SIDE + 1.5 * MARGIN
    middle = MARGIN + SIDE / 2
    parts.append(
        f'<text x="{middle}" y="{height - 8}" text-anchor="middle">Elo asked; upwards: measured'
        "</text>"
    )
    return drawing(parts, width=width, height=height)
