"""The addresses that device ports let in, in a file of JSON that is replaced as a whole.

An account pairs an address with a device port by a token, and the pairing ends with that token
or with its time.  An address of IPv6 stands for its network of 64 bits: phones change the rest of
it by themselves.
"""

import asyncio
import ipaddress
import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from rookery_protocol.atomic_file import replace_file
from rookery_protocol.errors import ServerError
from rookery_server.access.origin import source_of
from rookery_server.config.addresses import parse_address
from rookery_server.config.files import contents

FILE = "devices.json"  # in the folder of the server's state
MOST = 16  # addresses of one port: the oldest makes room


@dataclass(frozen=True, slots=True)
class Pairing:
    """An address that a device port lets in, and the id of the token that has paired it.

    `until` is in seconds of the epoch.
    """

    device: str
    source: str
    token: str
    until: int


class Pairings:
    """The pairings of one server."""

    def __init__(self, path: Path) -> None:
        """Read the file, if it is there.

        Raises:
            ServerError: it cannot be used.

        """
        self._path = path
        self._executor = ThreadPoolExecutor(1, "pairings")  # of changes, one after the other
        self._pairings = self._read()

    def of(self, device: str, now: float) -> list[Pairing]:
        """Return the pairings of a port, the oldest first."""
        return [each for each in self._pairings if each.device == device and now < each.until]

    def at(self, device: str, address: str, now: float) -> Pairing | None:
        """Return the pairing of an address with a port, or None."""
        source = paired_source(address)
        return next((each for each in self.of(device, now) if each.source == source), None)

    async def add(self, pairing: Pairing, now: float) -> None:
        """Add a pairing, instead of that of its address.

        Raises:
            ServerError: the file cannot be written.

        """
        await self._change(lambda found: _with(found, pairing, now))

    async def remove(self, device: str) -> None:
        """Remove all pairings of a port.

        Raises:
            ServerError: the file cannot be written.

        """
        await self._change(lambda found: [each for each in found if each.device != device])

    async def _change(self, by: Callable[[Iterable[Pairing]], list[Pairing]]) -> None:
        """Change the file, which may take its time, and then what is known of it.

        It is done even if the caller is cancelled.
        """
        loop = asyncio.get_running_loop()
        await asyncio.shield(loop.run_in_executor(self._executor, self._rewrite, by))

    def _rewrite(self, by: Callable[[Iterable[Pairing]], list[Pairing]]) -> None:
        pairings = by(self._read())  # Another server of this user may have some there, too.
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, json.dumps([asdict(each) for each in pairings], indent=1))
        except OSError as error:
            raise ServerError(f"cannot write {self._path}: {error.strerror}") from error
        self._pairings = pairings

    def _read(self) -> list[Pairing]:
        """Return what is in the file; nothing if it is not there.

        Raises:
            ServerError: it cannot be used.

        """
        try:
            if not self._path.exists():
                return []
            text = contents("the file of paired addresses", self._path).data.decode()
            return [_parse(each) for each in json.loads(text)]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ServerError(
                f"cannot use the paired addresses in {self._path}: {error}; remove the file, and"
                " the addresses are paired again"
            ) from error


def _with(found: Iterable[Pairing], pairing: Pairing, now: float) -> list[Pairing]:
    """Return pairings with a new one, and without those that are over or have to make room."""
    others = [each for each in found if now < each.until]
    mine = [each for each in others if each.device == pairing.device]
    gone = {each for each in mine if each.source == pairing.source}
    gone.update([each for each in mine if each not in gone][: -(MOST - 1)])
    return [*(each for each in others if each not in gone), pairing]


def paired_source(address: str) -> str:
    """Return what a pairing of an address lets in: the address, or its network of IPv6.

    An address that is good on one link alone stands for itself: all neighbours have its network.
    """
    read = parse_address(address)
    is_of_link = isinstance(read, ipaddress.IPv6Address) and read.is_link_local
    return str(read) if is_of_link else source_of(address)


def _parse(entry: dict[str, object]) -> Pairing:
    until = entry["until"]
    if not isinstance(until, int):
        raise TypeError("a time is no number")
    return Pairing(str(entry["device"]), str(entry["source"]), str(entry["token"]), until)
