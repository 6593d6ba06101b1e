"""What others see of the server's certificate: whether they trust it, its names and its end.

It is shown to a client that is not there: a handshake in memory, with nobody but OpenSSL to
judge.
"""

import ssl
import stat
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from rookery_protocol.errors import ConfigError
from rookery_server.access.tls import TlsConfig, load_chain, reason_of

_SOON = timedelta(days=30)  # until when a certificate is worth a word
_ROUNDS = 8  # flights of a handshake; TLS 1.2 has four


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as clients see it.

    `pin` is its SHA-256 in hexadecimal digits; `names` are those of machines in it, and
    `expires` its end, where it is good at all; `distrust` says why a client does not trust it
    that knows the usual authorities only, and is empty if it does; `trouble` why nobody can.
    """

    pin: str
    names: tuple[str, ...] = ()
    expires: datetime | None = None
    distrust: str = ""
    trouble: str = ""

    @classmethod
    def read(cls, tls: TlsConfig, host: str | None) -> "Certificate":
        """Read the one that is configured, for a server that is called so.

        Raises:
            ConfigError: it cannot be used.

        """
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        load_chain(server, tls)
        careless = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        careless.check_hostname = False
        careless.verify_mode = ssl.CERT_NONE
        try:
            # As OpenSSL has read it, from a file that may have others and other headings, too.
            der = _shake_hands(server, careless, None).getpeercert(binary_form=True)
        except ssl.SSLError as error:
            raise ConfigError(
                f"tls.certificate {tls.certificate}: no client can use it: {reason_of(error)};"
                " get one with an RSA or a P-256 key"
            ) from error
        assert der
        pin = sha256(der).hexdigest()
        # Who believes this one and no authority sees what is wrong with itself.
        believer = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        believer.check_hostname = False
        believer.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
        believer.load_verify_locations(cadata=der)
        shown, trouble = _show(server, believer, None)
        distrust = _show(server, ssl.create_default_context(), host)[1] if host else ""
        return cls(pin, _names(shown), _expiry(shown), distrust, trouble)

    def complaint(self, now: datetime) -> str:
        """Say what will keep clients away, now or soon; nothing if nothing does."""
        if self.trouble:
            return f"nobody can use the certificate: {self.trouble}; renew it"
        if self.expires and self.expires - now < _SOON:
            until = self.expires.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
            return f"the certificate is good until {until} only"
        return ""


def key_complaint(tls: TlsConfig) -> str:
    """Say who can read the key that should not; nothing if nobody can."""
    try:
        mode = stat.S_IMODE(tls.key.stat().st_mode)
    except OSError:
        return ""  # Who reads it says so.
    if not mode & stat.S_IRWXO:
        return ""
    return f"others can use tls.key {tls.key} (mode {mode:04o}): chmod 600 {tls.key}"


def _show(
    server: ssl.SSLContext, client: ssl.SSLContext, host: str | None
) -> tuple[dict[str, object], str]:
    """Return what a client reads in the certificate; and why it refuses it, if it does."""
    try:
        shown = _shake_hands(server, client, host).getpeercert()
    except ssl.SSLCertVerificationError as error:
        return {}, error.verify_message
    except ssl.SSLError as error:
        return {}, reason_of(error)
    return dict(shown or {}), ""


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, host: str | None) -> ssl.SSLObject:
    """Return the client's side of a connection.

    Raises:
        ssl.SSLError: there is none.

    """
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client_side = client.wrap_bio(down, up, server_hostname=host)
    server_side = server.wrap_bio(up, down, server_side=True)
    for _ in range(_ROUNDS):
        for side in (client_side, server_side):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            if side is client_side:
                return client_side
    raise ssl.SSLError("the handshake does not end")


def _names(shown: dict[str, object]) -> tuple[str, ...]:
    names = shown.get("subjectAltName", ())
    assert isinstance(names, tuple)
    return tuple(name for kind, name in names if kind in ("DNS", "IP Address"))


def _expiry(shown: dict[str, object]) -> datetime | None:
    end = shown.get("notAfter")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(end)), UTC) if end else None
