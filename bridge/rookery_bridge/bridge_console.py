"""What a command says to its user: as the server's do, and by which program it complains."""

from rookery_protocol import console
from rookery_protocol.console import OutputError, ReaderGoneError, prepare, say, settle

__all__ = ["OutputError", "ReaderGoneError", "complain", "prepare", "say", "settle"]


def complain(text: str, program: str = "rookery-bridge") -> None:
    """Say what is wrong on stderr, if it can be said."""
    console.complain(f"{program}: {text}")
