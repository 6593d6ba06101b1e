"""The frame that all pictures of the benchmarks share."""

from collections.abc import Sequence


def drawing(parts: Sequence[str], *, width: float, height: float) -> str:
    """Return an SVG file of these elements on white, in pixels; text is dark unless it says so."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        ' font-family="sans-serif" font-size="12">\n'
        '<rect width="100%" height="100%" fill="#fff"/>\n<g fill="#333">\n'
        + "\n".join(parts)
        + "\n</g>\n</svg>\n"
    )
