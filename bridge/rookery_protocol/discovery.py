"""The announcement of a server on its local network, by DNS-SD (RFC 6763).

The TXT record has the server's version, the path of its engines, and whether TLS, a token or a
client certificate is needed; it never has a token.  Whoever is on the network can announce
anything, so what is read is checked, and nothing of it is trusted.  No I/O.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rookery_protocol.engine_names import ENGINES_PATH

SERVICE_TYPE = "_rookery._tcp.local."
_MOST_NAME = 63  # bytes of an instance's name (RFC 6763, 4.1.1)
_FORMAT = "1"  # of the record (RFC 6763, 6.7)
_FLAGS = {"1": True, "0": False}


def instance_name(host: str, port: int) -> str:
    """Return the name under which a server is announced; browsers show it."""
    text = f"Rookery on {host.partition('.')[0]} ({port})"
    return text.encode()[:_MOST_NAME].decode(errors="ignore")


def printable(text: str, most: int = _MOST_NAME) -> str:
    """Return a text of the network's without what could steer a terminal."""
    return "".join(each if each.isprintable() else "?" for each in text[:most])


@dataclass(frozen=True, slots=True)
class Announcement:
    """The TXT record of a server."""

    version: str
    has_tls: bool
    needs_token: bool
    path: str = ENGINES_PATH
    needs_certificate: bool = False

    def to_properties(self) -> dict[str, str]:
        """Return the keys and values of the record."""
        return {
            "txtvers": _FORMAT,
            "version": self.version,
            "path": self.path,
            "tls": str(int(self.has_tls)),
            "token": str(int(self.needs_token)),
            "cert": str(int(self.needs_certificate)),
        }

    @classmethod
    def parse(cls, properties: Mapping[bytes, bytes | None]) -> "Announcement":
        """Read a record; keys that are not known are skipped, as RFC 6763 asks.

        Raises:
            ValueError: it is not one of ours; the text says why.

        """
        texts = {
            key.decode("ascii", "replace").lower(): (value or b"").decode("utf-8", "replace")
            for key, value in properties.items()
        }
        if texts.get("txtvers") != _FORMAT:
            raise ValueError("its record is of another format: a newer version may read it")
        flags = [_FLAGS.get(texts.get(key, "")) for key in ("tls", "token")]
        has_tls, needs_token = flags
        if has_tls is None or needs_token is None:
            raise ValueError("its record does not say whether TLS and a token are needed")
        version, path = printable(texts.get("version", "")), printable(texts.get("path", ""))
        return cls(version, has_tls, needs_token, path, texts.get("cert") == "1")
