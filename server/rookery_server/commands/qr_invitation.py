"""A QR code in the terminal that signs a phone in: `rookery-server invite --qr`.

The running server hears of the code by the operator's socket, and keeps the new token for the
browser that comes with it.  The command stays until that has come: a token that no browser has
got is revoked.
"""

import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from rookery_protocol import console
from rookery_protocol.engine_names import authority
from rookery_protocol.errors import ConfigError, ServerError
from rookery_protocol.invitation import Invitation
from rookery_server.access.account import AccessToken, TokenRecord
from rookery_server.access.token_file import TokenFile
from rookery_server.http.admin_socket import send_command
from rookery_server.http.qr_code import sign_in_url, terminal_text

_PATIENCE = 5.0  # s that a server has to answer
_PAUSE = 1.0  # s from one look at the code to the next
_SCHEMES = {"ws": ("http", 80), "wss": ("https", 443)}


def page_address(place: Invitation) -> str:
    """Return the origin of the page of a server.

    Raises:
        ConfigError: there is no page at such an address.

    """
    if place.transport not in _SCHEMES:
        raise ConfigError(
            f"a phone needs the page, which is not at {place.transport}://{place.host}: say"
            " --url wss://HOST:PORT, with the port that browsers use"
        )
    scheme, usual = _SCHEMES[place.transport]
    host = f"[{place.host}]" if ":" in place.host else place.host
    return f"{scheme}://{host if place.port == usual else authority(place.host, place.port)}"


def check_terminal(stream: TextIO) -> None:
    """Check that a stream is a terminal's.

    Raises:
        ConfigError: it is not.

    """
    if not stream.isatty():
        raise ConfigError(
            "--qr draws its code in a terminal, and stdout is none: leave out what it is sent to"
            " ('docker exec' needs -it), or make a link without --qr"
        )


class QrInvitation:
    """A new token that waits for a phone.

    `socket` is the operator's of the server, `origin` where browsers find its page.
    """

    def __init__(
        self, file: TokenFile, made: tuple[AccessToken, TokenRecord], socket: Path, origin: str
    ) -> None:
        self._file = file
        self._token, self._record = made
        self._socket = socket
        self._origin = origin

    def run(self, minutes: int) -> int:
        """Show the code, and wait until it was used or has expired; return the exit status.

        Raises:
            ServerError: the server does not answer.

        """
        id_: str | None = None
        device: str | None = None
        try:
            offer = {"do": "offer-token", "token": self._token.reveal(), "seconds": 60 * minutes}
            answer = self._send(offer)
            id_ = str(answer["id"])
            self._show(str(answer["code"]), minutes)
            device = self._wait_for_device(id_)
        except KeyboardInterrupt:
            console.complain("")  # behind the `^C`
        finally:
            if device is None:  # It may have no answer from the server, too.
                self._take_back(id_)
        if device is None:
            return 1
        record = replace(self._record, device=device)
        self._file.change(lambda keyring: keyring.updated([record]))
        console.print_line(f"signed in: {device}, as {record.name} by token {record.id}")
        return 0

    def _send(self, request: dict[str, object]) -> dict[str, object]:
        return send_command(self._socket, request, patience=_PATIENCE)

    def _show(self, code: str, minutes: int) -> None:
        has_blocks = "\u2580".encode(sys.stdout.encoding, "replace") != b"?"
        sys.stdout.write(terminal_text(sign_in_url(self._origin, code), has_blocks=has_blocks))
        console.print_line(
            f"Scan this with the phone: it opens {self._origin}, and signs in as"
            f" {self._record.name}.\nGood once, for {minutes} min; Ctrl-C ends it."
        )

    def _wait_for_device(self, id_: str) -> str | None:
        """Return the name of the device that has used the code; None if none has in time."""
        while True:
            answer = self._send({"do": "sign-in-code", "id": id_})
            if answer["state"] != "open":
                device = answer["device"]
                return None if device is None else str(device)
            time.sleep(_PAUSE)

    def _take_back(self, id_: str | None) -> None:
        """Revoke the token, and end its code."""
        self._file.change(lambda keyring: keyring.without(self._token.id))
        if id_ is not None:
            with suppress(ServerError):  # It has ended, and has forgotten the code.
                self._send({"do": "withdraw-code", "id": id_})
        console.complain(f"no phone has used the code: token {self._token.id} is revoked")
