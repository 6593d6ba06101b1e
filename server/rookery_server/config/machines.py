"""The sections [machines] and [ray]: engines that run on other machines."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.config import validators
from rookery_server.config.files import contents
from rookery_server.config.schema import itself, setting

_MOST_TOKEN = 4096  # bytes


def _users(name: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Check a table: for each account that machines join by, the users of what they offer."""
    entries = validators.table(name, value).items()
    return tuple((key, validators.texts(f"{name}.{key}", entry)) for key, entry in entries)


@dataclass(frozen=True, slots=True)
class MachinesConfig:
    """The machines that join, and offer engines of theirs.

    `enabled`: whether any may.  `most`: how many at once.  `grace`: seconds that sessions wait
    for a machine that is lost.  `users`: for an account by which machines join, the accounts
    and roles that may use their engines; without an entry all may.
    """

    enabled: bool = setting(validators.flag, default=True)
    most: int = setting(validators.whole(1, 1000), 64)
    grace: float = setting(validators.seconds, 60.0)
    users: tuple[tuple[str, tuple[str, ...]], ...] = setting(_users, ())

    def users_of(self, group: str) -> tuple[str, ...] | None:
        """Return the users of the engines of machines of that account; None is everybody."""
        return dict(self.users).get(group)


def head_address(name: str, value: object) -> str:
    """Check the address of a cluster's head."""
    text = validators.text(name, value)
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ConfigError(
            f"{name} needs HOST:PORT of the head, as in '10.0.0.1:6379', not {text!r}"
        )
    return text


@dataclass(frozen=True, slots=True)
class RayConfig:
    """A Ray cluster, and where its nodes reach this machine.

    `address` of the cluster's head; this machine has to be a node of it, with no CPUs perhaps.
    `token`: file with the cluster's token.  `listen`, `port`: where the engines on the nodes
    connect to; 0 is any free port.
    """

    address: str = setting(head_address, fixed=itself)
    token: Path = setting(validators.path, is_path=True, fixed=itself)
    listen: str = setting(validators.text, fixed=itself)
    port: int = setting(validators.port, 0, fixed=itself)

    def check_usable(self) -> None:
        """Check that Ray is installed, and that there is a token.

        Raises:
            ConfigError: it is not so.

        """
        if find_spec("ray") is None:
            raise ConfigError("[ray] needs Ray: pip install 'rookery-chess[ray]'")
        try:
            token = contents("ray.token", self.token, _MOST_TOKEN).data
        except OSError as error:
            raise ConfigError(f"ray.token: cannot read {self.token}: {error.strerror}") from error
        if not token:
            raise ConfigError(f"ray.token: {self.token} is empty; `ray get-auth-token` prints one")
