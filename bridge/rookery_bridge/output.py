"""What a command says to its user: as the server's do, and by which program it complains."""

from rookery_server import output
from rookery_server.output import OutputError, ReaderGoneError, prepare, say, settle

__all__ = ["OutputError", "ReaderGoneError", "complain", "prepare", "say", "settle"]


def complain(text: str, program: str = "rookery-bridge") -> None:
    """Say what is wrong on stderr, if it can be said."""
    output.complain(f"{program}: {text}")
