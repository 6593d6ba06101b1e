"""Where a remote engine is: the address that a user types."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from rookery_server.wire import engine_of, engine_path, is_engine_name

_EXAMPLES = "ws://HOST:PORT/engines/NAME, wss://..., tcp://HOST:PORT[/NAME] or tls://..."
_PLAIN_LINES = ("tcp", "tls")
_DEFAULT_PORTS = {"ws": 80, "wss": 443}


class AddressError(ValueError):
    """The address cannot be used; the text says what one looks like."""


@dataclass(frozen=True, slots=True)
class Address:
    """A remote engine.  `engine` is None for the server's default one (TCP only)."""

    scheme: str  # ws and tcp, or with TLS wss and tls
    host: str
    port: int
    engine: str | None

    @property
    def is_websocket(self) -> bool:
        """Whether lines travel as WebSocket messages."""
        return self.scheme not in _PLAIN_LINES

    @property
    def is_secure(self) -> bool:
        """Whether lines travel inside TLS."""
        return self.scheme in ("wss", "tls")

    @property
    def is_local(self) -> bool:
        """Whether lines stay on this machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:  # It is a name; any other may lead anywhere.
            return self.host.lower() == "localhost"

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Read an address.

        Raises:
            AddressError: it is none.

        """
        try:
            url = urlsplit(text)
            port = _DEFAULT_PORTS.get(url.scheme) if url.port is None else url.port
        except ValueError as error:
            raise AddressError(f"{text!r} is no address: {error}; use {_EXAMPLES}") from error
        if url.scheme not in (*_DEFAULT_PORTS, *_PLAIN_LINES) or not url.hostname or not port:
            raise AddressError(f"{text!r} is no address of an engine; use {_EXAMPLES}")
        if url.query or url.username is not None or url.fragment:
            raise AddressError(
                f"{text.partition('?')[0].rpartition('@')[2]!r} has more than an address: a token"
                f" does not belong there, where others see it; use {_EXAMPLES}"
            )
        if url.scheme in _PLAIN_LINES:
            engine = url.path.strip("/") or None
            if engine and not is_engine_name(engine):
                raise AddressError(f"{engine!r} is no name of an engine; use {_EXAMPLES}")
        else:
            engine = engine_of(url.path)
            if engine is None and url.path in ("", "/"):
                page = url._replace(scheme=url.scheme.replace("ws", "http"), path="/engines")
                raise AddressError(
                    f"{text!r} is a server and not yet an engine: add /engines/NAME, one of those"
                    f" that {page.geturl()} shows"
                )
            if engine is None:
                raise AddressError(f"{text!r} does not name an engine; use {_EXAMPLES}")
        return cls(url.scheme, url.hostname, port, engine)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        path = engine_path(self.engine or "") if self.is_websocket else f"/{self.engine or ''}"
        return f"{self.scheme}://{host}:{self.port}{path}".rstrip("/")
