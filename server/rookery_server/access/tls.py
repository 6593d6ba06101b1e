"""TLS: the certificate's files, read anew on request, and the certificate as clients see it.

A connection takes its certificate when it begins; those that are open keep theirs, so
that renewing it disturbs none of them.
"""

import ssl
import stat
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.config.files import contents
from rookery_server.config.sections import TlsConfig

MOST = 4 << 20  # bytes of a file; all authorities of a system have a quarter of a MiB
_CERTIFICATE, _KEY = b"-----BEGIN CERTIFICATE-----", b"PRIVATE KEY-----"  # of PEM
_SOON = timedelta(days=30)  # before the end of a certificate in which the operator is warned
_FLIGHTS = 8  # of a handshake at most; TLS 1.2 has four


class TlsContext:
    """The context for new connections; `reload` reads the files again."""

    def __init__(self, config: TlsConfig) -> None:
        """Read the files.

        Raises:
            ConfigError: they cannot be used; the text names the key.

        """
        # What listens keeps the context it was given; each handshake begins by taking
        # the newest one instead.  (It is asked even if the client names no server.)
        self.context = self._newest = _read(config)
        self.context.sni_callback = self._take_newest

    def reload(self, config: TlsConfig) -> None:
        """Read the files again, or others; if they cannot be used the former ones stay in use.

        Raises:
            ConfigError: they cannot be used.

        """
        self._newest = _read(config)

    def _take_newest(self, connection: ssl.SSLObject, *_: object) -> None:
        connection.context = self._newest


def _read(config: TlsConfig) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    _load_chain(context, config)
    if config.client_ca:
        _ask_for_certificates(context, config.client_ca)
    return context


def _load_chain(context: ssl.SSLContext, config: TlsConfig) -> None:
    """Load the certificate and its key.

    Raises:
        ConfigError: they cannot be used; the text names the file that is wrong.

    """
    _must_be_readable("tls.certificate", config.certificate)
    _must_be_readable("tls.key", config.key)
    is_encrypted = False

    def password() -> str:
        nonlocal is_encrypted
        is_encrypted = True
        return ""

    try:
        # A key that is encrypted is an error, not a question on the terminal.
        context.load_cert_chain(config.certificate, config.key, password)
    except OSError as error:
        raise ConfigError(_trouble(config, error, is_encrypted=is_encrypted)) from error


def _trouble(config: TlsConfig, error: OSError, *, is_encrypted: bool) -> str:
    """Return which of the files is wrong, and what it should be; OpenSSL does not say it."""
    certificate, key = f"tls.certificate {config.certificate}", f"tls.key {config.key}"
    if is_encrypted:
        return f"{key} is encrypted: 'openssl pkey -in {config.key}' writes it without a password"
    if getattr(error, "reason", None) == "KEY_VALUES_MISMATCH":
        return f"{key} is the key of another certificate than {certificate}: name the two as issued"
    if _lacks(config.certificate, _CERTIFICATE):
        return f"{certificate} has no certificate in PEM, a text with {_CERTIFICATE.decode()}"
    if _lacks(config.key, _KEY):
        return f"{key} has no private key in PEM, a text with ...{_KEY.decode()}"
    return (
        f"{certificate} and {key} are no certificate in PEM with its key,"
        f" unencrypted: {_reason(error)}"
    )


def _lacks(path: Path, mark: bytes) -> bool:
    """Return whether there is a file, without these bytes."""
    try:
        return mark not in path.read_bytes()
    except OSError:
        return False


def _ask_for_certificates(context: ssl.SSLContext, authority: Path) -> None:
    _must_be_readable("tls.client_ca", authority)
    try:
        context.load_verify_locations(authority)
    except OSError as error:
        raise ConfigError(
            f"tls.client_ca {authority} is no certificate in PEM: {_reason(error)}"
        ) from error
    context.verify_mode = ssl.CERT_REQUIRED
    # A connection that resumes an earlier one would not show its certificate again.
    context.options |= ssl.OP_NO_TICKET
    context.num_tickets = 0


def _reason(error: OSError) -> str:
    """Return OpenSSL's reason for an error."""
    return str(getattr(error, "reason", None) or error)


def _must_be_readable(name: str, path: Path) -> None:
    try:
        contents(name, path, MOST)
    except PermissionError as error:
        raise ConfigError(
            f"{name}: cannot read {path}: {error.strerror}: give the server's group the right"
            f" (chgrp GROUP {path}; chmod 640 {path}), or a copy that it can read"
        ) from error
    except OSError as error:
        raise ConfigError(
            f"{name}: cannot read {path}: {error.strerror}; it needs the path of a file in PEM"
        ) from error


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as clients see it.

    It is fields in memory to a client that consists of OpenSSL only.

    `pin` is its SHA-256 in hexadecimal digits; `names` are those of machines in it, and
    `expires` its end, where it is good at all.  `distrust` is why a client that knows the usual
    authorities only does not trust it, `trouble` why no client can; each is empty otherwise.
    """

    pin: str
    names: tuple[str, ...] = ()
    expires: datetime | None = None
    distrust: str = ""
    trouble: str = ""

    @classmethod
    def read(cls, tls: TlsConfig, host: str | None) -> "Certificate":
        """Read the configured one, for a server of this host name.

        Raises:
            ConfigError: it cannot be used.

        """
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        _load_chain(server, tls)
        blind_client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        blind_client.check_hostname = False
        blind_client.verify_mode = ssl.CERT_NONE
        try:
            # As OpenSSL has read it, from a file that may have others and other headings, too.
            der = _shake_hands(server, blind_client, None).getpeercert(binary_form=True)
        except ssl.SSLError as error:
            raise ConfigError(
                f"tls.certificate {tls.certificate}: no client can use it: {_reason(error)};"
                " get one with an RSA or a P-256 key"
            ) from error
        assert der
        pin = sha256(der).hexdigest()
        # A client that trusts this certificate and no authority sees what is wrong with itself.
        own_client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        own_client.check_hostname = False
        own_client.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
        own_client.load_verify_locations(cadata=der)
        fields, trouble = _show(server, own_client, None)
        distrust = _show(server, ssl.create_default_context(), host)[1] if host else ""
        return cls(pin, _names(fields), _expiry(fields), distrust, trouble)

    def complaint(self, now: datetime) -> str:
        """Return what keeps clients away, now or soon; an empty text if nothing does."""
        if self.trouble:
            return f"nobody can use the certificate: {self.trouble}; renew it"
        if self.expires and self.expires - now < _SOON:
            until = self.expires.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
            return f"the certificate is good until {until} only"
        return ""


def complaints(tls: TlsConfig, certificate: Certificate) -> list[str]:
    """Return what is wrong with the certificate and its key."""
    return list(filter(None, (certificate.complaint(datetime.now(UTC)), _key_complaint(tls))))


def _key_complaint(tls: TlsConfig) -> str:
    """Return the complaint that others can read the key; an empty text if they cannot."""
    try:
        mode = stat.S_IMODE(tls.key.stat().st_mode)
    except OSError:
        return ""  # `TlsContext` reports it.
    if not mode & stat.S_IRWXO:
        return ""
    return f"others can use tls.key {tls.key} (mode {mode:04o}): chmod 600 {tls.key}"


def _show(
    server: ssl.SSLContext, client: ssl.SSLContext, host: str | None
) -> tuple[dict[str, object], str]:
    """Return what a client reads in the certificate, and why the client refuses it if so."""
    try:
        fields = _shake_hands(server, client, host).getpeercert()
    except ssl.SSLCertVerificationError as error:
        return {}, error.verify_message
    except ssl.SSLError as error:
        return {}, _reason(error)
    return dict(fields or {}), ""


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, host: str | None) -> ssl.SSLObject:
    """Return the client's side of a handshake in memory.

    Raises:
        ssl.SSLError: the handshake fails.

    """
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client_side = client.wrap_bio(down, up, server_hostname=host)
    server_side = server.wrap_bio(up, down, server_side=True)
    for _ in range(_FLIGHTS):
        for side in (client_side, server_side):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            if side is client_side:
                return client_side
    raise ssl.SSLError("the handshake does not end")


def _names(fields: dict[str, object]) -> tuple[str, ...]:
    names = fields.get("subjectAltName", ())
    assert isinstance(names, tuple)
    return tuple(name for kind, name in names if kind in ("DNS", "IP Address"))


def _expiry(fields: dict[str, object]) -> datetime | None:
    end = fields.get("notAfter")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(end)), UTC) if end else None
