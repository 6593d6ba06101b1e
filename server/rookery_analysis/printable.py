"""Text of others, as it is printed: of games and of servers.  No I/O.

Control characters in it would steer the terminal of who reads it.
"""

from rookery_protocol.notices import CONTROL

MOST_SHOWN = 200  # characters of what a server says


def safe(text: str) -> str:
    """Return a text with a question mark for each control character."""
    return CONTROL.sub("?", text)


def brief(text: str) -> str:
    """Return the beginning of what a server says, likewise."""
    return safe(text[:MOST_SHOWN])
