"""The documents of device ports."""

from typing import Annotated

from msgspec import Meta

from rookery_server.api.schema import AnswerDocument


class PairedAddress(AnswerDocument, kw_only=True):
    """An address that a device port lets in; of IPv6, it is a network.

    `yours` is true if it is the one that this request comes from.
    """

    address: str
    expires: str
    yours: bool


class Device(AnswerDocument, kw_only=True):
    """A port of this account for programs that speak bare TCP and know no tokens, as DroidFish.

    `host` is the name by which this request has called the server.  An address that is paired is
    let in for `days` days, at most.
    """

    name: str
    engine: str
    host: str
    port: int
    days: int
    file: Annotated[str, Meta(description="A file for DroidFish's folder `uci`, line by line")]
    addresses: list[PairedAddress]


class DeviceList(AnswerDocument, kw_only=True):
    """The device ports of this account.

    `address` is the one that this request comes from, as a device port would see it; it is left
    out where a proxy does not say for whom it asks.
    """

    devices: list[Device]
    address: str | None = None
