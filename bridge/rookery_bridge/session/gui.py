"""What a GUI hears, and whether it is to hear more.  No I/O."""

from rookery_protocol.notices import legible

_LONGEST = 1000  # characters: a server's words and paths of this machine may be in it


class Gui:
    """Collects the lines for a GUI.  `is_quitting` says whether it has said `quit`."""

    def __init__(self) -> None:
        self.is_quitting = False
        self._pieces: list[bytes] = []

    def lines(self) -> bytes:
        """Return the lines for it, each with its newline, and forget them."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)

    def hear(self, piece: bytes) -> None:
        """Pass on whole lines."""
        self._pieces.append(piece)

    def tell(self, text: str) -> None:
        """Tell it something in the bridge's own name."""
        self.hear(f"info string rookery-bridge: {legible(text, _LONGEST)}\n".encode())
