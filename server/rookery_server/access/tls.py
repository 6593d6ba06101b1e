"""TLS on both ports: the files of the certificate, read anew on request.

A connection takes its certificate when it begins; those that are open keep theirs, so
that renewing it disturbs nobody.
"""

import ssl
from dataclasses import dataclass
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.config import validators
from rookery_server.config.files import contents
from rookery_server.config.schema import setting

MOST = 4 << 20  # bytes of a file; all authorities of a system have a quarter of a MiB
_CERTIFICATE, _KEY = b"-----BEGIN CERTIFICATE-----", b"PRIVATE KEY-----"  # of PEM


@dataclass(frozen=True, slots=True)
class TlsConfig:
    """Files in PEM: the certificate with those between it and its authority, and its key.

    With `client_ca` every client must show a certificate of that authority.  `hsts`: browsers
    that have come by name are to use TLS only from then on, for a year.
    """

    certificate: Path = setting(validators.path)
    key: Path = setting(validators.path)
    client_ca: Path | None = setting(validators.path, None)
    hsts: bool = setting(validators.flag, default=True)


class Tls:
    """The context for new connections; `reload` reads the files again."""

    def __init__(self, config: TlsConfig) -> None:
        """Read the files.

        Raises:
            ConfigError: they cannot be used; the text names the key.

        """
        self._config = config
        self._newest = _read(config)
        # What listens keeps the context it was given; each handshake begins by taking
        # the newest one instead.  (It is asked even if the client names no server.)
        self.context = _read(config)
        self.context.sni_callback = self._take_newest

    def reload(self, config: TlsConfig | None = None) -> None:
        """Read the files again, or others; if they cannot be used the former ones go on.

        Raises:
            ConfigError: they cannot be used.

        """
        config = config or self._config
        self._newest = _read(config)
        self._config = config

    def _take_newest(self, connection: ssl.SSLObject, *_: object) -> None:
        connection.context = self._newest


def _read(config: TlsConfig) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    load_chain(context, config)
    if config.client_ca:
        _ask_for_certificates(context, config.client_ca)
    return context


def load_chain(context: ssl.SSLContext, config: TlsConfig) -> None:
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
    """Say which of the files is wrong, and what it should be; OpenSSL does not."""
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
        f" unencrypted: {reason_of(error)}"
    )


def _lacks(path: Path, mark: bytes) -> bool:
    """Say whether there is a file, without these bytes."""
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
            f"tls.client_ca {authority} is no certificate in PEM: {reason_of(error)}"
        ) from error
    context.verify_mode = ssl.CERT_REQUIRED
    # A connection that resumes an earlier one would not show its certificate again.
    context.options |= ssl.OP_NO_TICKET
    context.num_tickets = 0


def reason_of(error: OSError) -> str:
    """Return what OpenSSL says is wrong."""
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
