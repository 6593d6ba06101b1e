"""A server with engines, for the tests of clients."""

import shutil

from helpers.bridged import ENGINE
from helpers.support import Running, numbered, odd
from rookery_server.config.engines import EngineConfig

STOCKFISH = shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
REAL = ("rookery", "stockfish")
TRANSPORTS = ("ws", "tcp")


def address(app: Running, transport: str, engine: str, port: int | None = None) -> str:
    """Return where an engine is; perhaps by way of another port."""
    if transport == "tcp":
        return f"tcp://127.0.0.1:{port or app.tcp_port}/{engine}"
    return f"ws://127.0.0.1:{port or app.port}/engines/{engine}"


def engines() -> tuple[EngineConfig, ...]:
    assert STOCKFISH, "these tests need Debian's stockfish"
    return (
        EngineConfig("rookery", (ENGINE,)),
        EngineConfig("stockfish", (STOCKFISH,)),
        EngineConfig("numbered", numbered()),
        EngineConfig("dies", odd("dies")),
    )
