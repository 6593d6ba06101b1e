"""How the bridge knows the server, and the server the bridge."""

from rookery_bridge.address import Address
from rookery_protocol.tls_trust import PinError, Trust, TrustError, read_pin, read_token, token_of

__all__ = ["PinError", "Trust", "TrustError", "check_secrecy", "read_pin", "read_token", "token_of"]


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
