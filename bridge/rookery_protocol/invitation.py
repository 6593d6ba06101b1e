"""The link by which an operator invites: the address of a server, and what is needed to use it.

    rookery://rook.example:8080/stockfish#wss+token:rk_5f0c..._9b71...+pin:03ab...+sum:5d41e2a0

`rookery-server invite` prints it and `rookery-bridge pair` reads it.  All that is secret stands
behind the `#`, the part of a URL that is never sent; and the scheme is one that neither
browsers nor the preview of a chat open.  It has no character that a shell, a chat or a mail
would take for its own inside double quotes, and ends with a checksum, because links are cut
off and swallowed in part on their way.  No I/O, no state.
"""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit
from zlib import crc32

from rookery_protocol.engine_names import authority, is_engine_name
from rookery_protocol.errors import ConfigError

SCHEME = "rookery"
TRANSPORTS = ("wss", "tls", "ws", "tcp")  # the schemes of an address of the bridge

_PIN = re.compile(r"[0-9a-f]{64}")
_TOKEN = re.compile(r"[A-Za-z0-9_.~-]+")
_HOST = re.compile(r"[A-Za-z0-9._-]+|[0-9a-fA-F:.]+")
_WHOLE = "copy the whole link, from 'rookery://' to its last letter, and put it in double quotes"


class InvitationError(ConfigError, ValueError):
    """The link cannot be used; the text says why, and never has the token."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """The address of a server, and what is needed to use it.

    `transport` is how lines travel, as in the scheme of an address; `engine` the one that is
    meant, None for all there are; `pin` the SHA-256 of the certificate in hexadecimal digits,
    where that is to be believed and no authority.
    """

    transport: str
    host: str
    port: int
    engine: str | None = None
    token: str | None = field(default=None, repr=False)
    pin: str | None = None

    def __post_init__(self) -> None:
        """Check that the printed link can be read.

        Raises:
            InvitationError: it could not.

        """
        if self.transport not in TRANSPORTS:
            raise InvitationError(
                f"lines travel by one of {', '.join(TRANSPORTS)}, not by {self.transport[:20]!r}"
            )
        if not _HOST.fullmatch(self.host):
            raise InvitationError(f"{self.host[:80]!r} is no name or address of a machine")
        if not 0 < self.port < 65536:
            raise InvitationError(f"a port is a number from 1 to 65535, not {self.port}")
        if self.engine is not None and not is_engine_name(self.engine):
            raise InvitationError(f"{self.engine[:80]!r} is no name of an engine")
        if self.token is not None and not _TOKEN.fullmatch(self.token):
            raise InvitationError("a token has letters, digits, '.', '~', '_' and '-' only")
        if self.pin is not None and not _PIN.fullmatch(self.pin):
            raise InvitationError(f"a pin is the 64 digits of a SHA-256, not {self.pin[:80]!r}")

    @classmethod
    def parse(cls, text: str) -> "Invitation":
        """Read a link, as chats and mails may have left it: quoted, in brackets, percent-encoded.

        Raises:
            InvitationError: it is none, or not whole.

        """
        text = unquote(text.strip().strip("<>\"'`").strip())
        if not text.startswith(f"{SCHEME}://"):
            raise InvitationError(
                f"a link begins with '{SCHEME}://', not with {text[:20]!r}; 'rookery-server"
                " invite' prints one"
            )
        link, mark, checksum = text.rpartition("+sum:")
        if not mark or checksum.lower() != _checksum(link):
            raise InvitationError(f"the link is not whole, or was changed on its way: {_WHOLE}")
        try:
            url = urlsplit(link)
            host, port = url.hostname, url.port
        except ValueError as error:
            raise InvitationError(f"the link names no machine: {error}; ask for another") from error
        transport, *words = url.fragment.split("+")
        pairs = dict(word.partition(":")[::2] for word in words)
        # What a later version adds must be understood, or the link would mean something else.
        if unknown := [key for key in pairs if key not in ("token", "pin")]:
            raise InvitationError(
                f"the link has {unknown[0][:20]!r}, which this version does not know: install"
                " a newer one"
            )
        if not host or not port:
            raise InvitationError("the link names no machine with a port: ask for another")
        engine = url.path.strip("/") or None
        return cls(transport, host, port, engine, pairs.get("token"), pairs.get("pin"))

    def __str__(self) -> str:
        """Return the link, secret and all."""
        words = [self.transport]
        words += [f"token:{self.token}"] if self.token else []
        words += [f"pin:{self.pin}"] if self.pin else []
        link = f"{SCHEME}://{authority(self.host, self.port)}/{self.engine or ''}#{'+'.join(words)}"
        return f"{link}+sum:{_checksum(link)}"


def _checksum(text: str) -> str:
    """Return what tells a whole link from one that lacks something; it keeps no secret."""
    return f"{crc32(text.encode(errors='replace')):08x}"
