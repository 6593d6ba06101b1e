"""The operator's commands for device ports.

{"do": "devices"}                     {"ok": true, "devices": [{"device": "anna", ...}, ...]}
{"do": "end-device", "device": "anna"}   {"ok": true}
"""

import time
from collections.abc import Sequence

from rookery_protocol.errors import ServerError
from rookery_server.access.pairings import Pairing
from rookery_server.http.admin_error import AdminError
from rookery_server.transport.device_port import DevicePort


class AdminDevices:
    """The device ports of a server, as its operator has to do with them."""

    def __init__(self, ports: Sequence[DevicePort]) -> None:
        self._ports = ports

    def list(self) -> list[dict[str, object]]:
        """Return the addresses that are let in at each port, and the ports that let none in."""
        found: list[dict[str, object]] = []
        for port in self._ports:
            found += [_describe(port, each) for each in port.pairings] or [_describe(port, None)]
        return found

    async def end(self, name: str) -> None:
        """Let no address in any more at a port, and end the sessions there.

        Raises:
            AdminError: there is no such port, or it cannot be kept.

        """
        port = next((each for each in self._ports if each.config.name == name), None)
        if port is None:
            raise AdminError(
                f"there is no device port {name!r}: 'devices list' shows those there are"
            )
        try:
            await port.unpair("the operator")
        except ServerError as error:
            raise AdminError(str(error)) from error


def _describe(port: DevicePort, pairing: Pairing | None) -> dict[str, object]:
    return {
        "device": port.config.name,
        "account": port.config.owner,
        "port": port.port,
        "engine": port.config.engine,
        "address": pairing and pairing.source,
        "token": pairing and pairing.token,
        "left": pairing and max(0, pairing.until - int(time.time())),
        "connections": port.count_at(pairing.source) if pairing else 0,
    }
