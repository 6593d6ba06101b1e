"""A picture of a soak: memory, descriptors and engines over time, as SVG."""

from collections.abc import Callable, Sequence
from html import escape

from bench.endure.vitals import Vitals
from bench.svg import drawing

WIDTH, HEIGHT = 640, 130  # pixels, of one curve
LEFT, RIGHT, TOP = 60, 16, 26

_CURVES: tuple[tuple[str, Callable[[Vitals], float]], ...] = (
    ("memory of the server, MiB", lambda look: look.rss),
    ("open descriptors", lambda look: look.files),
    ("engines", lambda look: look.children),
)


def chart(looks: Sequence[tuple[float, Vitals]], *, title: str) -> str:
    """Draw what was seen at (seconds, vitals): one curve below the other, each from 0."""
    height = TOP + len(_CURVES) * HEIGHT + 24
    parts = [f'<text x="8" y="16" font-weight="bold">{escape(title)}</text>']
    for place, (name, value) in enumerate(_CURVES):
        points = [(at, value(look)) for at, look in looks]
        parts += _curve(name, points, top=TOP + place * HEIGHT)
    last = looks[-1][0] / 60
    parts.append(
        f'<text x="{WIDTH - RIGHT}" y="{height - 8}" text-anchor="end">{last:.0f} min</text>'
    )
    return drawing(parts, width=WIDTH, height=height)


def _curve(name: str, points: list[tuple[float, float]], *, top: int) -> list[str]:
    most = max(value for _, value in points) or 1.0
    length = points[-1][0] or 1.0
    bottom, room = top + HEIGHT - 12, HEIGHT - 40

    def place(at: float, value: float) -> str:
        across = LEFT + at / length * (WIDTH - LEFT - RIGHT)
        return f"{across:.1f} {bottom - value / most * room:.1f}"

    path = "L".join(place(at, value) for at, value in points)
    return [
        f'<text x="{LEFT}" y="{top + 16}">{escape(name)}</text>',
        f'<text x="{LEFT - 6}" y="{bottom - room + 4}" text-anchor="end">{most:.0f}</text>',
        f'<text x="{LEFT - 6}" y="{bottom + 4}" text-anchor="end">0</text>',
        f'<path d="M{LEFT} {bottom}H{WIDTH - RIGHT}" stroke="#999" fill="none"/>',
        f'<path d="M{path}" stroke="#25a" fill="none" stroke-width="1.5"/>',
    ]
