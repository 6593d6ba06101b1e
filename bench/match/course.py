"""A picture of a tuning run: each value over the iterations, as part of its start, as SVG."""

from collections.abc import Sequence
from html import escape

from bench.match.spsa import Tuning
from bench.svg import drawing

WIDTH = 800  # pixels
HEIGHT = 400
MARGIN = 32
LEFT = 56  # for the scale
NAMES = 290  # for the names
LINE = 16  # between names
GRIDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # per cent
COLOURS = ("#25a", "#c42", "#283", "#829", "#b80", "#088", "#555", "#d4a")
DASHES = ("", "6 3", "2 3")  # when the colours have all been used


def course(tuning: Tuning) -> str:
    """Draw the values; the title says how far the run has come."""
    points = [*tuning.course, (tuning.done, tuning.values)]
    last = max(1, tuning.done)
    starts = [parameter.start for parameter in tuning.parameters]
    lines = [
        [(number, change(values[place], start)) for number, values in points]
        for place, start in enumerate(starts)
    ]
    reach = max((abs(value) for line in lines for _, value in line), default=0.0)
    grid = next((each for each in GRIDS if reach <= 4 * each), GRIDS[-1])
    most = grid * max(1, -(-int(reach + 0.999) // grid))
    height = max(HEIGHT, 2 * MARGIN + LINE * len(lines))

    def across(number: float) -> float:
        return round(LEFT + number * (WIDTH - LEFT - NAMES) / last, 1)

    def down(value: float) -> float:
        clipped = min(max(value, -most), most)
        return round(MARGIN + (most - clipped) * (height - 2 * MARGIN) / (2 * most), 1)

    title = f"{tuning.done} of {tuning.schedule.iterations} iterations"
    parts = [f'<text x="{MARGIN / 2}" y="15">{title}</text>']
    for level in range(-most, most + 1, grid):
        colour = "#ddd" if level else "#333"
        parts += [
            f'<path d="M{LEFT} {down(level)}H{WIDTH - NAMES}" stroke="{colour}"/>',
            f'<text x="{LEFT - 6}" y="{down(level) + 4}" text-anchor="end">{level:+d} %</text>',
        ]
    ends = spread([down(line[-1][1]) for line in lines], height)
    for place, line in enumerate(lines):
        colour = COLOURS[place % len(COLOURS)]
        dash = DASHES[place // len(COLOURS) % len(DASHES)]
        path = " ".join(f"{across(number)},{down(value)}" for number, value in line)
        name, value = tuning.parameters[place].name, tuning.values[place]
        parts += [
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-dasharray="{dash}"/>',
            f'<text x="{WIDTH - NAMES + 8}" y="{ends[place] + 4}" fill="{colour}">'
            f"{escape(name)} {starts[place]} → {value:.1f}</text>",
        ]
    return drawing(parts, width=WIDTH, height=height)


def change(value: float, start: int) -> float:
    """Return by how many per cent of its start a value has grown in size; of 1 if that is 0."""
    return 100 * (value - start) / start if start else 100 * value


def spread(wanted: Sequence[float], height: int) -> list[float]:
    """Return places for names near those wanted, so that none is upon another."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    places = list(wanted)
    low = float(MARGIN)
    for place in order:
        places[place] = max(places[place], low)
        low = places[place] + LINE
    high = float(height - MARGIN)
    for place in reversed(order):
        places[place] = min(places[place], high)
        high = places[place] - LINE
    return places
