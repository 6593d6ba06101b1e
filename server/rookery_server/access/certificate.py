"""What others see of the server's certificate: whether they trust it, its names and its end.

It is shown to a client that is not there: a handshake in memory, with nobody but OpenSSL to
judge.
"""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from rookery_server.access.tls import TlsConfig
from rookery_server.errors import ConfigError

_BEGIN, _END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
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
        try:
            pem = tls.certificate.read_text(encoding="ascii")
            first = f"{_BEGIN}{pem.partition(_BEGIN)[2].partition(_END)[0]}{_END}\n"
            server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            server.load_cert_chain(tls.certificate, tls.key, password=lambda: "")
            der = ssl.PEM_cert_to_DER_cert(first)
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"tls.certificate {tls.certificate} and tls.key {tls.key} are no certificate in"
                f" PEM with its key: {error}"
            ) from error
        pin = sha256(der).hexdigest()
        # Who believes this one and no authority sees what is wrong with itself.
        believer = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        believer.check_hostname = False
        believer.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
        believer.load_verify_locations(cadata=first)
        shown, trouble = _show(server, believer, None)
        distrust = _show(server, ssl.create_default_context(), host)[1] if host else ""
        return cls(pin, _names(shown), _expiry(shown), distrust, trouble)


def _show(
    server: ssl.SSLContext, client: ssl.SSLContext, host: str | None
) -> tuple[dict[str, object], str]:
    """Return what a client reads in the certificate; and why it refuses it, if it does."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client_side = client.wrap_bio(down, up, server_hostname=host)
    server_side = server.wrap_bio(up, down, server_side=True)
    for _ in range(_ROUNDS):
        for side in (client_side, server_side):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError as error:
                return {}, error.verify_message
            if side is client_side:
                return dict(client_side.getpeercert() or {}), ""
    return {}, "the handshake does not end"


def _names(shown: dict[str, object]) -> tuple[str, ...]:
    names = shown.get("subjectAltName", ())
    assert isinstance(names, tuple)
    return tuple(name for kind, name in names if kind in ("DNS", "IP Address"))


def _expiry(shown: dict[str, object]) -> datetime | None:
    end = shown.get("notAfter")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(end)), UTC) if end else None
