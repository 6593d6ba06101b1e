"""The names by which the server may be called, and the web pages that may call it.

A browser is a stranger's tool: any page that its owner visits can have it open a
connection to this server.  It does say truly which page that was (`Origin`) and which
name it looked up (`Host`).  So a page must be of the server itself or on the
operator's list; and because a name of an attacker's may lead to 127.0.0.1 (DNS
rebinding), a server of this machine answers only to the names that it knows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rookery_server.config.addresses import DEFAULT_PORTS, HOST, ORIGIN, host_name, parse_address

_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class OriginPolicy:
    """The names and pages that are admitted.

    `addresses` are what the server listens on; `local` says that only this machine
    reaches it, `login` that a token is wanted, `tls` that it speaks TLS itself.
    """

    addresses: tuple[str, ...]
    local: bool
    login: bool = False
    tls: bool = False
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()

    def is_own_host(self, hosts: Sequence[str]) -> bool:
        """Return whether a request with these `Host` headers is meant for this server."""
        name = name_in(hosts)
        if name is None:
            return False
        return self._is_known(name) or not (self.local or self.hosts)

    def admits(self, origins: Sequence[str], hosts: Sequence[str]) -> bool:
        """Return whether a request with these `Origin` and `Host` headers may go on.

        Programs that are no browsers send no `Origin`, and are admitted.
        """
        if not origins:
            return True
        origin = origins[0]
        form = ORIGIN.fullmatch(origin)
        if len(origins) > 1 or form is None:
            return False
        page_is_local = form[2].strip("[]") in _LOCAL_NAMES
        return (
            origin in self.origins
            or (self.local and page_is_local)
            or self._is_own(form[1], form[2], form[3], hosts)
        )

    def is_own_page(self, origins: Sequence[str], hosts: Sequence[str]) -> bool:
        """Return whether a request is of a page of this very server, or of no page at all."""
        form = ORIGIN.fullmatch(origins[0]) if len(origins) == 1 else None
        return not origins or (form is not None and self._is_own(form[1], form[2], form[3], hosts))

    def _is_own(self, scheme: str, name: str, port: str | None, hosts: Sequence[str]) -> bool:
        """Return whether a page is from the address at which its browser found this server."""
        form = HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if form is None or (self.tls and scheme != "https"):
            return False
        # Without a log-in the name must be one of ours: another may be a rebound one.
        if not self.login and not self._is_known(name.strip("[]")):
            return False
        default = DEFAULT_PORTS[scheme]
        return (name, int(port or default)) == (form[1].lower(), int(form[2] or default))

    def _is_known(self, name: str) -> bool:
        """Return whether a name is ours; on a network any address is, for none is rebound."""
        if name in (*_LOCAL_NAMES, *self.addresses, *self.hosts):
            return True
        return not self.local and parse_address(name) is not None


def name_in(hosts: Sequence[str]) -> str | None:
    """Return the name in a `Host` header; None if there is not just one."""
    return host_name(hosts[0]) if len(hosts) == 1 else None
