"""Sessions that outlive their connections, for several tests."""

from helpers.returning import Returning
from helpers.support import Lines, Running, numbered, odd, until
from rookery_protocol.hello import Hello
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig

SERVER = ServerConfig(port=0, tcp_port=0, drain_timeout=1.0)
ENGINES = (EngineConfig("numbered", numbered()), EngineConfig("flood", odd("flood")))
CONFIG = Config(ENGINES, SERVER)


def returning(app: Running, transport: str = "tcp") -> Returning:
    assert app.tcp_port
    return Returning({"tcp": app.tcp_port, "websocket": app.port}, transport)


async def until_detached(app: Running) -> None:
    await until(lambda: any(actor.client is None for actor in app.host.actors))


async def begin(client: Lines, *lines: str) -> Hello:
    """Begin a session that can be come back to, and say lines."""
    client.say("rookery session new", *lines)
    hello = Hello.parse((await client.hear()).encode())
    assert hello
    return hello
