"""Authentication between a client and a server: the token, and the server's certificate."""

import argparse
import shlex
import ssl
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_protocol.text_encoding import decode_text

_OWN_VERIFIERS = ("darwin", "win32")  # systems that `truststore` asks
_PIN_DIGITS = 64
_OTHERS = 0o077  # permissions that no other account needs


class TrustError(ConfigError, ValueError):
    """A file or a fingerprint cannot be used; the text says why."""


class PinError(ssl.SSLCertVerificationError):
    """The server shows another certificate than the one that is pinned."""


@dataclass(frozen=True, slots=True)
class Trust:
    """The token for a server, and how the server is authenticated.

    `token` is that of the account.  `authority` is a file with the certificate of an authority
    to believe besides those that the system knows; `pin` is the SHA-256 of the only
    certificate to believe, whoever has signed it.  `of_link`: all this came with a link, so
    that another link changes it, and no option does.
    """

    token: str | None = field(default=None, repr=False)
    authority: Path | None = None
    pin: bytes | None = None
    of_link: bool = field(default=False, kw_only=True)

    def context(self) -> ssl.SSLContext:
        """Return how TLS checks the server.

        Raises:
            TrustError: the file of the authority cannot be used.

        """
        if not (self.pin or self.authority):
            return _system_context()
        try:
            context = ssl.create_default_context(cafile=self.authority)
        except (OSError, ssl.SSLError) as error:
            raise TrustError(f"--ca {self.authority}: {error.strerror}") from error
        if self.authority:
            context.load_default_certs()  # The file alone would be instead of them.
        if self.pin:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            # The one is what asyncio uses, the other what http.client does.
            whose = "that of the link" if self.of_link else "--pin"
            context.sslobject_class, context.sslsocket_class = _pinned(self.pin, whose)
        return context


def add_login_options(
    group: "argparse._ActionsContainer", about: str, *, file_option: str = "--token-file"
) -> None:
    """Add the options that a `Trust` is made of; `about` is the help on the file of the token."""
    group.add_argument(file_option, type=Path, metavar="FILE", help=about)
    group.add_argument("--ca", type=Path, metavar="FILE", help="trust this authority, too")
    group.add_argument("--pin", metavar="SHA256", help="trust the certificate of this fingerprint")


def find_token(
    file: Path | None,
    variable: str,
    environment: Mapping[str, str],
    complain: Callable[[str], None],
    *,
    option: str = "--token-file",
) -> str | None:
    """Return the token of a file, or else of a variable; None if neither is given.

    A token is never an argument: everybody on this machine can see those.  `option` is the one
    that names the file.

    Raises:
        TrustError: there is no token in it.

    """
    if file:
        return read_token(file, complain, option=option)
    text = environment.get(variable)
    return token_of(variable, text) if text else None


def read_token(path: Path, complain: Callable[[str], None], *, option: str = "--token-file") -> str:
    """Return the token that is in a file; complain if others of this machine can use the file.

    On Windows the folders of a user see to that, and nothing is said.

    Raises:
        TrustError: there is no token in it.

    """
    try:
        mode, data = path.stat().st_mode, path.read_bytes()
        token = token_of(f"{option} {path}", decode_text(data))
    except OSError as error:
        text = f"{option} {path}: {error.strerror}; it is to be a file with the token in it"
        raise TrustError(text) from error
    except UnicodeDecodeError as error:
        raise TrustError(f"{option} {path}: this is no text, and no token") from error
    if sys.platform != "win32" and stat.S_ISREG(mode) and mode & _OTHERS:
        complain(
            f"note: others of this machine can use {path} (mode {stat.S_IMODE(mode):04o}),"
            f" and with it your token: chmod 600 {shlex.quote(str(path))}"
        )
    return token


def token_of(where: str, text: str) -> str:
    """Check that a text is a token and nothing else."""
    words = text.split()
    if len(words) != 1 or not words[0].isascii() or not words[0].isprintable():
        raise TrustError(f"{where} needs a token and nothing else")
    return words[0]


def read_pin(text: str) -> bytes:
    """Read a fingerprint, as `openssl x509 -fingerprint -sha256` prints it."""
    digits = text.rpartition("=")[2].replace(":", "").strip()
    try:
        pin = bytes.fromhex(digits)
    except ValueError:
        pin = b""
    if len(pin) * 2 != _PIN_DIGITS:
        raise TrustError(f"--pin needs the {_PIN_DIGITS} digits of a SHA-256, not {text!r}")
    return pin


def _system_context() -> ssl.SSLContext:
    """Return a context that believes whom this system does.

    macOS and Windows have a verifier of their own for that.  Python's reads files, which the
    Python of python.org has none of on macOS before `Install Certificates.command` was run, and
    on Windows the authorities that were needed there before.
    """
    if sys.platform in _OWN_VERIFIERS:
        with suppress(ImportError):
            import truststore

            return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return ssl.create_default_context()


def _pinned(pin: bytes, whose: str) -> tuple[type[ssl.SSLObject], type[ssl.SSLSocket]]:
    """Return what does handshakes and fails them, before anything is sent, by somebody's pin."""

    def check(certificate: bytes | None) -> None:
        shown = sha256(certificate or b"").digest()
        if shown != pin:
            raise PinError(1, f"its certificate has another SHA-256 than {whose}: {shown.hex()}")

    class PinnedObject(ssl.SSLObject):
        def do_handshake(self) -> None:
            super().do_handshake()
            check(self.getpeercert(binary_form=True))

    class PinnedSocket(ssl.SSLSocket):
        def do_handshake(self, block: bool = False) -> None:
            super().do_handshake(block)
            check(self.getpeercert(binary_form=True))

    return PinnedObject, PinnedSocket
