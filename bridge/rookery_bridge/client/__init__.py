"""Remote engines for programs that use python-chess: change the line that starts the engine.

    transport, engine = await rookery_bridge.client.popen_uci("wss://HOST/engines/stockfish")
    engine = rookery_bridge.client.connect_uci("wss://HOST/engines/stockfish")  # blocking

All else is python-chess's own `chess.engine`.  See docs/client.md.
"""

from rookery_bridge.client.remote_engine import (
    RemoteProtocol,
    RemoteTransport,
    connect_uci,
    popen_uci,
)

__all__ = ["RemoteProtocol", "RemoteTransport", "connect_uci", "popen_uci"]
