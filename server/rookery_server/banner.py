"""The addresses of a server, as it prints them when it listens, and on its pages.  No I/O."""

from importlib.metadata import version

from rookery_protocol.engine_names import authority, engine_path
from rookery_server.config.addresses import EVERYWHERE
from rookery_server.config.config import Config


def greeting(
    config: Config, port: int, tcp_port: int | None = None, broker_port: int | None = None
) -> str:
    """Return the lines that tell where to point a browser, a chess GUI and a terminal.

    The ports are those that it listens on; None where it does not.
    """
    place = authority(config.host, port)
    web, ws = ("https", "wss") if config.tls else ("http", "ws")
    token = " --token-file FILE" if config.server.tokens else ""
    names = ", ".join(engine.name for engine in config.engines)
    lines = [
        f"Rookery {version('rookery-chess')} offers: {names}",
        f"  browser   {web}://{place}/",
        f"  chess GUI rookery-bridge {ws}://{place}{engine_path(config.engines[0].name)}{token}",
    ]
    if tcp_port is not None:
        lines.append(f"  terminal  {dial(config, tcp_port)}")
    if broker_port is not None:
        lines.append(f"  broker    {web}://{authority(config.server.host, broker_port)}/")
    if host := next((host for host in config.hosts if host in EVERYWHERE), None):
        lines.append(f"{host} is every address of this machine: others say its name instead.")
    return "\n".join([*lines, "Ctrl-C ends it."])


def dial(config: Config, tcp_port: int) -> str:
    """Return the command that connects a terminal to the port for plain lines."""
    if config.tls:
        return f"openssl s_client -quiet -connect {authority(config.host, tcp_port)}"
    return f"nc {config.host} {tcp_port}"
