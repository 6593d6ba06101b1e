"""Addresses of remote engines, as a user types them."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from rookery_protocol.engine_names import authority, engine_of, engine_path, is_engine_name
from rookery_protocol.tls_trust import Trust, TrustError

_EXAMPLES = "ws://HOST:PORT/engines/NAME, wss://..., tcp://HOST:PORT[/NAME] or tls://..."
_SERVERS = "https://HOST[:PORT] or http://HOST:PORT"
_PLAIN_LINES = ("tcp", "tls")
_OF_SERVER = ("", "engines", "v1")  # paths that name a server and no engine
_TOO_MUCH = "has more than an address: a token does not belong there, where others see it"
_DEFAULT_PORTS = {"ws": 80, "wss": 443}
_PAGES = {"http": "ws", "https": "wss"}
_HOST_FIRST = re.compile(r"[^\s/:]+:\d+(/|$)")
_TOKEN = re.compile(r"rk_[\w-]+")


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
        """True if lines travel as WebSocket messages."""
        return self.scheme not in _PLAIN_LINES

    @property
    def is_secure(self) -> bool:
        """True if lines travel inside TLS."""
        return self.scheme in ("wss", "tls")

    @property
    def is_local(self) -> bool:
        """True if lines stay on this machine."""
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
        text = text.strip()
        try:
            url = urlsplit(text)
            port = _DEFAULT_PORTS.get(url.scheme) if url.port is None else url.port
        except ValueError as error:
            raise _error(text, f"is no address: {_why_unread(text, error)}") from error
        if url.scheme not in (*_DEFAULT_PORTS, *_PLAIN_LINES) or not url.hostname or not port:
            raise _error(text, f"is no address of an engine{_why_none(text, url)}")
        if url.query or url.username is not None or url.fragment:
            raise _error(text, _TOO_MUCH)
        return cls(url.scheme, url.hostname, port, _engine(text, url))

    @classmethod
    def parse_server(cls, text: str) -> "Address":
        """Read the address of a server's web port, with or without one of its engines.

        Raises:
            AddressError: it is none.

        """
        text, shown = text.strip(), repr(without_secret(text.strip()))
        try:
            url = urlsplit(text)
            scheme = _PAGES.get(url.scheme, url.scheme)
            port = _DEFAULT_PORTS.get(scheme) if url.port is None else url.port
        except ValueError as error:
            why = _why_unread(text, error)
            raise AddressError(f"{shown} is no address: {why}; use {_SERVERS}") from error
        if scheme in _PLAIN_LINES:
            raise AddressError(
                f"{shown} is a port for plain lines: this needs the web port, {_SERVERS}"
            )
        if scheme not in _DEFAULT_PORTS or not url.hostname or not port:
            raise AddressError(f"{shown} is no address of a server; use {_SERVERS}")
        if url.query or url.username is not None or url.fragment:
            raise AddressError(f"{shown} {_TOO_MUCH}; use {_SERVERS}")
        engine = engine_of(url.path.rstrip("/"))
        if engine is None and url.path.strip("/") not in _OF_SERVER:
            raise AddressError(f"{shown} has a path that no server has; use {_SERVERS}")
        return cls(scheme, url.hostname, port, engine)

    @property
    def web_url(self) -> str:
        """The root of the server's web port, for a browser or an HTTP client."""
        return f"{'https' if self.is_secure else 'http'}://{authority(self.host, self.port)}"

    def __str__(self) -> str:
        path = engine_path(self.engine or "") if self.is_websocket else f"/{self.engine or ''}"
        return f"{self.scheme}://{authority(self.host, self.port)}{path}".rstrip("/")


def check_trust(address: Address, trust: Trust, *, insecure: bool) -> None:
    """Check that TLS can be used, and that a token goes nowhere in clear text but by intent.

    Raises:
        TrustError: the file of the authority cannot be used, or others could read the token.

    """
    if address.is_secure:
        trust.context()
    if not insecure:
        check_secrecy(address, trust)


def check_secrecy(address: Address, trust: Trust) -> None:
    """Refuse to send a token where others can read it on the way.

    Raises:
        TrustError: it would be.

    """
    if trust.token and not (address.is_secure or address.is_local):
        secure = "wss" if address.is_websocket else "tls"
        raise TrustError(
            f"the token would go to {address.host} unencrypted, for all on the way to read: use"
            f" {secure}:// (the server then wants [tls]), or say --insecure"
        )


def without_secret(text: str) -> str:
    """Return what was typed as an address, less the parts in which a token might stand."""
    text = re.split(r"[?#]", text, maxsplit=1)[0]
    start = text.find("://") + len("://") if "://" in text else 0
    authority, slash, path = text[start:].partition("/")
    return without_token(f"{text[:start]}{authority.rpartition('@')[2]}{slash}{path}")


def without_token(text: str) -> str:
    """Return what was typed, less the tokens in it."""
    return _TOKEN.sub("rk_...", text)


def _error(text: str, why: str) -> AddressError:
    return AddressError(f"{without_secret(text)!r} {why}; use {_EXAMPLES}")


def _engine(text: str, url: SplitResult) -> str | None:
    """Return the engine that an address names.

    Raises:
        AddressError: it names none, or what is no name.

    """
    path = url.path.rstrip("/")
    if url.scheme in _PLAIN_LINES:
        name = path.removeprefix("/") or None
        if name and not is_engine_name(name):
            other = engine_of(path)
            hint = f": use {url._replace(path='/' + other).geturl()}" if other else ""
            raise _error(text, f"does not name an engine{hint}")
        return name
    if path in ("", "/engines"):
        page = url._replace(scheme=url.scheme.replace("ws", "http"), path="/engines")
        raise AddressError(
            f"{text!r} is a server and not yet an engine: add /engines/NAME, one of those"
            f" that {page.geturl()} shows"
        )
    name = engine_of(path)
    if name is None:
        raise _error(text, "does not name an engine")
    return name


def _why_unread(text: str, error: ValueError) -> str:
    """Return what is wrong with an address that is no URL."""
    authority = text.partition("://")[2].partition("/")[0].rpartition("@")[2]
    if authority.count(":") > 1 and "[" not in authority:
        return "an IPv6 address stands in brackets, as in ws://[::1]:8080/engines/NAME"
    if "[" in authority and "]" not in authority:
        return "the ']' of its IPv6 address is missing"
    is_port = str(error).startswith("Port ")
    return "its port is no number from 1 to 65535" if is_port else str(error)


def _why_none(text: str, url: SplitResult) -> str:
    """Return what is wrong with a URL that is no address of an engine; nothing if who knows."""
    rest = without_secret(text).partition("://")[2]
    if url.scheme in _PAGES:
        return f": that is of a page, and its engine's would be {_PAGES[url.scheme]}://{rest}"
    if url.scheme == "rookery":
        return ", but a link: 'rookery-bridge pair' takes it, and asks for it"
    if not url.hostname:
        page = without_secret(text).rstrip("/")
        path = "" if "/" in page else engine_path("NAME")
        return f": it would be ws://{page}{path}" if _HOST_FIRST.match(text) else ""
    if url.port == 0:
        return ": its port is no number from 1 to 65535"
    return ": it has no port, which rookery-server prints" if url.scheme in _PLAIN_LINES else ""
