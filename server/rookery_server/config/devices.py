"""The tables [devices.NAME]: ports for chess programs that know no tokens, as DroidFish.

[devices.anna-phone]
port = 9091
account = "anna"
engine = "stockfish"
"""

from dataclasses import dataclass

from rookery_protocol.engine_names import is_plain_name
from rookery_protocol.errors import ConfigError
from rookery_server.config import validators
from rookery_server.config.schema import read_section, setting

MOST_DAYS = 366


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """A port that lets in the addresses which an account has paired, as that account.

    `host`: None is the server's.  `account`: None is the name of the table.  `engine`: that of the
    port; None is the default one.  `days`: an address that was paired is let in for so long.
    """

    name: str
    port: int = setting(validators.port)
    host: str | None = setting(validators.host, None)
    account: str | None = setting(validators.text, None)
    engine: str | None = setting(validators.text, None)
    days: int = setting(validators.whole(1, MOST_DAYS), 30)

    @property
    def owner(self) -> str:
        """The name of the account."""
        return self.account or self.name


def read_device(name: str, value: object) -> DeviceConfig:
    """Check one table of `[devices.NAME]`.

    Raises:
        ConfigError: it cannot be used.

    """
    if not is_plain_name(name):
        raise ConfigError(
            f"devices.{name}: a name has letters, digits, '.', '_' and '-'; an account of another"
            " name goes into the key account"
        )
    return read_section(DeviceConfig, f"devices.{name}", value, name=name)
